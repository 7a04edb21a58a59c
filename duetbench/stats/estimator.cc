#include "duetbench/stats/estimator.h"

#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
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

}  // namespace

absl::string_view EstimatorName(Estimator estimator) {
  switch (estimator) {
    case Estimator::kGeomean:
      return "geomean";
    case Estimator::kMedian:
      return "median";
    case Estimator::kTrimmed:
      break;
  }
  return "trimmed";
}

absl::StatusOr<Estimator> ParseEstimator(absl::string_view name) {
  for (Estimator estimator : {Estimator::kTrimmed, Estimator::kGeomean, Estimator::kMedian}) {
    if (EstimatorName(estimator) == name) return estimator;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown estimator '", name, "': use trimmed, geomean or median"));
}

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

}  // namespace duetbench::stats
