#ifndef DUETBENCH_STATS_INTERVAL_H_
#define DUETBENCH_STATS_INTERVAL_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/pairs.h"

namespace duetbench::stats {

// The ways to compute an interval of the ratio new/old: kT here, kRobust in
// decide/decision.h, the others, which only duet_stat offers, in tools/stats.
enum class IntervalKind {
  kRobust,      // "robust": Student's t on the robust mean of the runs (robust_mean.h); the default
  kT,           // "t": Student's t on the runs' log-ratios
  kPercentile,  // "percentile": percentile bootstrap of the runs (the duet paper)
  kHierarchical,  // "hier": bootstrap of runs, then of the pairs in each
  kSign,          // order statistics of the runs' values: for quantiles of calls
};

// An interval of the ratio new/old, 0 <= lo <= ratio <= hi. lo is 0 and hi is infinite where the
// kind cannot bound the ratio from so few runs.
struct RatioInterval {
  double ratio;         // point estimate
  double lo;            // lower end
  double hi;            // upper end
  double level;         // nominal coverage, in (0, 1)
  IntervalKind kind;    // how it was computed
  std::string warning;  // why it may be too narrow, in words; empty if nothing speaks against it
};

// One ratio as an interval, to see what would be concluded if it were known: of no level.
RatioInterval PointInterval(double ratio);

// The t quantile that leaves alpha / 2 above it.
double TwoSidedT(double alpha, double degrees_of_freedom);

// OK if 0 < level < 1, otherwise InvalidArgument.
absl::Status CheckLevel(double level);

// OK if there are at least `least` run values and all are finite, otherwise InvalidArgument.
absl::Status CheckRunValues(absl::Span<const double> run_log_ratios, std::size_t least);

// exp(mean +- t_{(1+level)/2, R-1} * s / sqrt(R)) of the log-ratios of R runs, s their standard
// deviation. Valid from R = 2 on; holds its level on the three models of the coverage test from
// R = 3 on. InvalidArgument for R < 2, a value that is not finite, or a level outside (0, 1).
absl::StatusOr<RatioInterval> TInterval(absl::Span<const double> run_log_ratios, double level);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_INTERVAL_H_
