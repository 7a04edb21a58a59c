#ifndef DUETBENCH_DECIDE_INTERVAL_H_
#define DUETBENCH_DECIDE_INTERVAL_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/record/verdict.h"

namespace duetbench::stats {

// An interval of the ratio new/old, 0 <= lo <= ratio <= hi. lo is 0 and hi is infinite where so few
// runs cannot bound the ratio.
struct RatioInterval {
  double ratio;  // point estimate
  double lo;     // lower end
  double hi;     // upper end
  double level;  // nominal coverage, in (0, 1)
};

// One ratio as an interval, to see what would be concluded if it were known: of no level.
RatioInterval PointInterval(double ratio);

// The verdict with the practical margin d = `margin` >= 0 and the band [1/(1+d), 1+d]. The rules,
// in this order: the interval is inside the band (ends included): kEqual; above 1: kSlower; below
// 1: kFaster; else kInconclusive. The band comes first: a difference that is proved but smaller
// than the margin does not matter. With margin 0 this is the rule of the duet paper (Bulej et al.,
// ICPE 2020, section 3): an interval that contains 1 reports no difference; only the interval
// [1, 1] is then kEqual. An interval with a NaN end is kInconclusive. A negative or NaN margin
// stops the program.
//   Decide({1.002, 0.996, 1.008, ...}, 0.01)  ->  kEqual
//   Decide({1.030, 0.999, 1.061, ...}, 0.01)  ->  kInconclusive
Verdict Decide(const RatioInterval& interval, double margin);

// The t quantile that leaves alpha / 2 above it.
double TwoSidedT(double alpha, double degrees_of_freedom);

// OK if 0 < level < 1, otherwise InvalidArgument.
absl::Status CheckLevel(double level);

// OK if there are at least `least` run values and all are finite, otherwise InvalidArgument.
absl::Status CheckRunValues(absl::Span<const double> run_log_ratios, std::size_t least);

// exp(mean +- t_{1 - alpha/2, R-1} * s / sqrt(R)) of the log-ratios of R runs, s their standard
// deviation, alpha = (1 - level) * share: of an analysis that may spend a share of 1 - level
// (interim_analysis.h). Valid from R = 2 on; holds its level on the three models of the coverage
// test from R = 3 on. InvalidArgument for R < 2, a value that is not finite, or a level outside
// (0, 1); a share outside (0, 1] stops the program.
absl::StatusOr<RatioInterval> TInterval(absl::Span<const double> run_log_ratios, double level,
                                        double share = 1);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_INTERVAL_H_
