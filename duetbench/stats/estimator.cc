#include "duetbench/stats/estimator.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

double Location(std::vector<double> values, Estimator estimator) {
  switch (estimator) {
    case Estimator::kTrimmed:
      return TrimmedMean(std::move(values), kTrimFraction);
    case Estimator::kMedian:
      return Median(std::move(values));
    case Estimator::kGeomean:
      break;
  }
  return Mean(values);
}

void Center(std::vector<double>& values) {
  const double mean = Mean(values);
  for (double& value : values) value -= mean;
}

// For one assignment: the log-ratios become influence values on their trimmed mean.
void TrimmedInfluence(std::vector<double>& values) {
  const auto n = static_cast<std::ptrdiff_t>(values.size());
  const std::ptrdiff_t drop = TrimmedCount(values.size(), kTrimFraction);
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
  Center(values);
  if (drop == 0) return;
  const auto size = static_cast<double>(n);
  const auto kept = static_cast<double>(n - 2 * drop);
  const double scale = size / kept * std::sqrt(kept * (size - 1) / ((kept - 1) * size));
  for (double& value : values) value *= scale;
}

// For one assignment: the log-ratios become influence values on their median.
void MedianInfluence(std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const double median = QuantileType7(sorted, 0.5);
  const double h = std::min(0.4, 0.6477 * std::pow(static_cast<double>(values.size()), -0.2));
  const double sparsity =
      (QuantileType7(sorted, 0.5 + h) - QuantileType7(sorted, 0.5 - h)) / (2 * h);
  for (double& value : values) {
    const double sign = value > median ? 1 : (value < median ? -1 : 0);
    value = sign * sparsity / 2;
  }
  Center(values);
}

}  // namespace

absl::StatusOr<double> RunLogRatio(const RunPairs& run, Estimator estimator) {
  if (absl::Status status = CheckPairs(run); !status.ok()) return status;
  if (estimator == Estimator::kGeomean) return Mean(LogRatios(run));
  std::vector<double> logs[2];
  for (const Pair& pair : run) {
    logs[pair.assignment].push_back(std::log(pair.new_time / pair.old_time));
  }
  if (logs[0].empty()) return Location(std::move(logs[1]), estimator);
  if (logs[1].empty()) return Location(std::move(logs[0]), estimator);
  return (Location(std::move(logs[0]), estimator) + Location(std::move(logs[1]), estimator)) / 2;
}

std::vector<double> InfluenceValues(const RunPairs& run, Estimator estimator) {
  std::vector<double> influence = LogRatios(run);
  if (estimator == Estimator::kGeomean) {
    Center(influence);
    return influence;
  }
  std::vector<double> parts[2];
  for (std::size_t i = 0; i < run.size(); ++i) parts[run[i].assignment].push_back(influence[i]);
  const int present = (parts[0].empty() ? 0 : 1) + (parts[1].empty() ? 0 : 1);
  for (std::vector<double>& part : parts) {
    if (part.empty()) continue;
    if (estimator == Estimator::kMedian) {
      MedianInfluence(part);
    } else {
      TrimmedInfluence(part);
    }
    const double weight = static_cast<double>(run.size()) / static_cast<double>(part.size()) /
                          static_cast<double>(present);
    for (double& value : part) value *= weight;
  }
  std::size_t next[2] = {0, 0};
  for (std::size_t i = 0; i < run.size(); ++i) {
    const int assignment = run[i].assignment;
    influence[i] = parts[assignment][next[assignment]++];
  }
  return influence;
}

}  // namespace duetbench::stats
