#include "duetbench/decide/estimator.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "duetbench/decide/decision_policy.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

std::vector<double> ValuesAt(const std::vector<std::size_t>& positions,
                             const std::vector<double>& all) {
  std::vector<double> values;
  values.reserve(positions.size());
  for (const std::size_t position : positions) values.push_back(all[position]);
  return values;
}

// In one stratum: the log-ratios become influence values on their trimmed mean.
void TrimmedInfluence(std::vector<double>& values) {
  const auto n = static_cast<std::ptrdiff_t>(values.size());
  const std::ptrdiff_t drop = TrimmedCount(values.size(), kDecision.trim);
  if (drop > 0) {
    std::vector<double> ordered = values;
    const auto first = ordered.begin() + drop;
    const auto last = ordered.end() - drop - 1;
    std::nth_element(ordered.begin(), first, ordered.end());
    const double low = *first;
    std::nth_element(first, last, ordered.end());
    const double high = *last;
    for (double& value : values) value = std::clamp(value, low, high);
  }
  const double mean = Mean(values);
  for (double& value : values) value -= mean;
  if (drop == 0) return;
  const auto size = static_cast<double>(n);
  const auto kept = static_cast<double>(n - 2 * drop);
  const double scale = size / kept * std::sqrt(kept * (size - 1) / ((kept - 1) * size));
  for (double& value : values) value *= scale;
}

}  // namespace

absl::StatusOr<double> RunLogRatio(const RunPairs& run) {
  if (absl::Status status = CheckPairs(run); !status.ok()) return status;
  const std::vector<double> log_ratios = LogRatios(run);
  const std::vector<std::vector<std::size_t>> strata = Strata(run);
  double sum = 0;
  for (const std::vector<std::size_t>& positions : strata) {
    sum += TrimmedMean(ValuesAt(positions, log_ratios), kDecision.trim);
  }
  return sum / static_cast<double>(strata.size());
}

std::vector<double> InfluenceValues(const RunPairs& run) {
  std::vector<double> influence = LogRatios(run);
  const std::vector<std::vector<std::size_t>> strata = Strata(run);
  for (const std::vector<std::size_t>& positions : strata) {
    std::vector<double> part = ValuesAt(positions, influence);
    TrimmedInfluence(part);
    const double weight = static_cast<double>(run.size()) / static_cast<double>(part.size()) /
                          static_cast<double>(strata.size());
    for (std::size_t i = 0; i < part.size(); ++i) influence[positions[i]] = weight * part[i];
  }
  return influence;
}

}  // namespace duetbench::stats
