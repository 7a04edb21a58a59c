#ifndef DUETBENCH_STATS_ESTIMATOR_H_
#define DUETBENCH_STATS_ESTIMATOR_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/stats/pairs.h"

namespace duetbench::stats {

// How the pairs of a run become one number, the run's ln(new/old).
enum class Estimator {
  // Mean of the log-ratios without the lowest and the highest 10 % (floor(n/10) values each), for
  // each assignment apart; the assignments found are then averaged with equal weight, so that a
  // difference between the two CPUs cancels even if one of them got more pairs. The default: 6
  // times narrower than kGeomean when there are spikes, 2 % wider when there are none.
  kTrimmed,
  // Mean of all log-ratios whatever their assignment: the logarithm of gms of Bulej et al., ICPE
  // 2020, section 3. One preempted iteration can dominate it.
  kGeomean,
  // Median of the log-ratios for each assignment, averaged like kTrimmed. For an even number of
  // values the mean of the middle two.
  kMedian,
};

// "trimmed", "geomean" or "median".
absl::string_view EstimatorName(Estimator estimator);

// The inverse of EstimatorName. InvalidArgument lists the names that exist.
absl::StatusOr<Estimator> ParseEstimator(absl::string_view name);

// ln(new/old) of one run. Valid from one pair on. InvalidArgument if CheckPairs fails.
// O(n) expected (selection, no sort); copies the log-ratios once.
//   RunLogRatio({{100, 110, 0}, {100, 110, 1}}, Estimator::kTrimmed)  ->  ln 1.1
absl::StatusOr<double> RunLogRatio(const RunPairs& run, Estimator estimator);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_ESTIMATOR_H_
