#ifndef DUETBENCH_STATS_FEW_RUNS_H_
#define DUETBENCH_STATS_FEW_RUNS_H_

#include <cstddef>

#include "absl/types/span.h"
#include "duetbench/stats/interval.h"

// What few runs cannot show. A program may have another mode in one process of ten (huge pages, a
// collision of addresses): 59 % of experiments of 5 runs, and 35 % of those of 10, never see it,
// and the spread of their runs says nothing of it. No statistic of the runs can. So fewer than
// kManyRuns runs are taken to spread as runs usually do, however close together they happen to lie,
// and decide early only what is clear even so.
namespace duetbench::stats {

// So many runs see a mode of one process in ten with 85 %.
inline constexpr std::size_t kManyRuns = 18;

// The least standard deviation of the log-ratios of `runs` runs: 0.1 %, and 0 from kManyRuns on.
// Runs of a function against itself spread by 0.05 % (a loop in registers), 0.1 % (a sort) and 0.3
// % (a walk through 4 MiB) on a cloud machine with 2 CPUs. The half-width of an interval at 99 % is
// then at least 0.21 % from 5 runs, 0.10 % from 10, and 0.07 % from 17. In simulations it contains
// the ratio with a mode of 0.5 % from 10 runs, and of 3 % at the first analysis of 5
// (tests/statistical/rare_modes_test.cc). A larger mode that was not seen is missed all the same.
double LeastSpread(std::size_t runs);

// Widens the t interval of these run values to that with the least spread, at level
// 1 - (1 - interval->level) * share as AnalysisInterval. Two values at least.
void WidenToLeastSpread(absl::Span<const double> run_log_ratios, double share,
                        RatioInterval* interval);

// Whether so few runs may end the measuring with a ratio allowed in [lo, hi]: their mean lies
// within the limits by 16 times the least spread, 1.6 %. From kManyRuns on always.
bool MayPassEarly(absl::Span<const double> run_log_ratios, double lo, double hi);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_FEW_RUNS_H_
