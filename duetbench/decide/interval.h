#ifndef DUETBENCH_DECIDE_INTERVAL_H_
#define DUETBENCH_DECIDE_INTERVAL_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/decide/decision_policy.h"
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
Verdict Decide(const RatioInterval& interval, double margin);

// The t quantile that leaves alpha / 2 above it.
double TwoSidedT(double alpha, double degrees_of_freedom);

// OK if 0 < level < 1, otherwise InvalidArgument.
absl::Status CheckLevel(double level);

// OK if there are at least `least` run values and all are finite, otherwise InvalidArgument.
absl::Status CheckRunValues(absl::Span<const double> run_log_ratios, std::size_t least);

// exp(mean +- t_{1 - alpha/2, R-1} * s / sqrt(R)) of the log-ratios of R runs, s their standard
// deviation, alpha = (1 - level) * share: of an analysis that may spend a share of 1 - level
// (interval.h). Valid from R = 2 on; holds its level on the three models of the coverage
// test from R = 3 on. InvalidArgument for R < 2, a value that is not finite, or a level outside
// (0, 1); a share outside (0, 1] stops the program.
absl::StatusOr<RatioInterval> TInterval(absl::Span<const double> run_log_ratios, double level,
                                        double share = 1);

// --- Interim analyses ---

// A group-sequential experiment: its runs are analyzed a few times, and it ends at the analysis
// that decides. All analyses together err no more often than the interval of a single one would.
//
// Analyses come after 6, 8, 12, 18, 28, … runs, each time half as many more, in whole pairs, and a
// final one when the time is spent. Each analysis has a share of alpha = 1 - level and takes the t
// interval at level 1 - alpha * share. Half of alpha is kept for the final analysis. Of the other
// half the first eleven analyses have a twelfth each, and the later ones a twelfth together. The
// shares add up to less than 1. So, by Bonferroni's inequality, the chance that the interval of any
// analysis misses the true ratio is below alpha, whatever the correlation of the analyses and
// whichever of them ends the experiment.
// Other designs, which were simulated: duetbench/README.md, Interim analyses.

// Runs at analysis k (from 0): 6, 8, 12, 18, 28, 42, 62, 94, …: an antithetic pair of runs
// (run_value.h) is not cut.
int AnalysisRuns(int k);

// Part of alpha that analysis k may spend if it is not the final one.
double AnalysisShare(int k);

// Part of alpha that the final analysis may spend.
inline constexpr double kFinalAnalysisShare = kDecision.final_share;

// The smallest 1 - level at which TInterval lies entirely outside [lo, hi], at most 1: a
// p-value of the hypothesis that the ratio is in [lo, hi], valid over all analyses. At least two
// finite values, 0 <= lo <= hi (hi may be infinite), share in (0, 1], or the program stops.
double AnalysisPValue(absl::Span<const double> run_log_ratios, double lo, double hi, double share);

// The same of a log-ratio with this standard error.
double TailPValue(double log_ratio, double error, double degrees_of_freedom, double lo, double hi,
                  double share);

// --- Few runs ---

// The limits of few runs: a program may have another mode in one process of ten (huge pages, a
// collision of addresses): 59 % of experiments of 5 runs, and 35 % of those of 10, never see it,
// and the spread of their runs says nothing of it. No statistic of the runs can. So fewer than
// kManyRuns runs are taken to spread as runs usually do, however close together they happen to lie,
// and decide early only what is clear even so.

// Runs that see a mode of one process in ten with 85 %.
inline constexpr std::size_t kManyRuns = kDecision.many_runs;

// The least standard deviation of the log-ratios of `runs` runs: 0.1 %, and 0 from kManyRuns on.
// The half-width of an interval at 99 % is then at least 0.21 % from 5 runs, 0.10 % from 10, and
// 0.07 % from 17. In simulations it contains the ratio with a mode of 0.5 % from 10 runs, and of 3
// % at the first analysis of 5 (10,000 experiments of each). A larger mode that was not
// seen is missed all the same.
double LeastSpread(std::size_t runs);

// True if that few runs may end the measuring with a ratio allowed in [lo, hi]: it lies within the
// limits by 16 times the least spread, 1.6 %. From kManyRuns on always.
bool MayPassEarly(double log_ratio, std::size_t runs, double lo, double hi);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_INTERVAL_H_
