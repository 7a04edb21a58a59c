#ifndef DUETBENCH_STATS_INTERVAL_H_
#define DUETBENCH_STATS_INTERVAL_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace duetbench::stats {

// The ways to compute an interval of the ratio new/old. Their measured coverage is in
// tests/statistical/coverage_test.cc.
enum class IntervalKind {
  kT,              // "t": Student's t on the runs' log-ratios; the default
  kPercentile,     // "percentile": percentile bootstrap of the runs (the duet paper)
  kExpanded,       // "expanded": percentile bootstrap at widened tail probabilities
  kNMinus1,        // "n-1": percentile bootstrap with resamples of R-1 runs
  kBasic,          // "basic": reflected percentile bootstrap
  kBca,            // "bca": bias-corrected and accelerated percentile bootstrap
  kBootT,          // "boot-t": studentized bootstrap
  kHodgesLehmann,  // "hl": order statistics of the Walsh averages (inverted signed-rank test)
  kHierarchical,   // "hier": bootstrap of runs, then of iterations in each run
  kAnytime,        // "anytime": valid however often it is looked at
  kEwc,            // "ewc": for one run, from the autocorrelated series of its iterations
};

// The names above.
absl::string_view IntervalKindName(IntervalKind kind);

// The inverse of IntervalKindName. InvalidArgument lists the names that exist.
absl::StatusOr<IntervalKind> ParseIntervalKind(absl::string_view name);

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
