#ifndef DUETBENCH_TOOLS_STATS_NARROWNESS_H_
#define DUETBENCH_TOOLS_STATS_NARROWNESS_H_

#include <cstddef>
#include <string>

#include "duetbench/stats/interval.h"

namespace duetbench::stats {

// Coverage, in percent, of the intervals of experiments of `runs` runs, with a nominal 95 %
// (`level` < 0.975) or 99 % (otherwise), simulated on the model 'VM' of
// tests/statistical (run effect, autocorrelated noise, spikes, common interference). Interpolated
// in 1/R between the R simulated; the nominal coverage for kinds that have no known defect.
double SimulatedCoverage(IntervalKind kind, std::size_t runs, double level);

// A sentence if an interval of this kind is known to be too narrow for so few runs: its simulated
// coverage is below 93 % of a nominal 95 %, or below 98 % of a nominal 99 %. Otherwise empty.
//   NarrownessWarning(IntervalKind::kPercentile, 10, 0.99)
//     ->  "not enough runs for this interval kind: with 10 runs its nominal 99 % cover about 96 %"
std::string NarrownessWarning(IntervalKind kind, std::size_t runs, double level);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_NARROWNESS_H_
