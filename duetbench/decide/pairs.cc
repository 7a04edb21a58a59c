#include "duetbench/decide/pairs.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "duetbench/decide/decision_policy.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

bool IsPositiveFinite(double value) { return value > 0 && std::isfinite(value); }

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

absl::Status CheckPairs(const RunPairs& run) {
  if (run.empty()) return absl::InvalidArgumentError("the run has no pairs");
  for (std::size_t i = 0; i < run.size(); ++i) {
    const Pair& pair = run[i];
    if (!IsPositiveFinite(pair.old_time) || !IsPositiveFinite(pair.new_time)) {
      return absl::InvalidArgumentError(
          absl::StrCat("pair ", i, ": times must be positive and finite, got old ", pair.old_time,
                       " and new ", pair.new_time));
    }
    if (!IsPositiveFinite(pair.new_time / pair.old_time)) {
      return absl::InvalidArgumentError(absl::StrCat("pair ", i, ": the ratio of new ",
                                                     pair.new_time, " to old ", pair.old_time,
                                                     " is out of the range of a double"));
    }
    if (pair.assignment != 0 && pair.assignment != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("pair ", i, ": the assignment must be 0 or 1, got ", pair.assignment));
    }
  }
  return absl::OkStatus();
}

std::vector<std::vector<std::size_t>> Strata(const RunPairs& run) {
  std::vector<std::vector<std::size_t>> strata(2);
  for (std::size_t i = 0; i < run.size(); ++i) {
    strata[static_cast<std::size_t>(run[i].assignment)].push_back(i);
  }
  strata.erase(std::remove_if(strata.begin(), strata.end(),
                              [](const auto& positions) { return positions.empty(); }),
               strata.end());
  return strata;
}

std::vector<double> LogRatios(const RunPairs& run) {
  std::vector<double> logs;
  logs.reserve(run.size());
  for (const Pair& pair : run) logs.push_back(std::log(pair.new_time / pair.old_time));
  return logs;
}

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
