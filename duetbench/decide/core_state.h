#ifndef DUETBENCH_DECIDE_CORE_STATE_H_
#define DUETBENCH_DECIDE_CORE_STATE_H_

#include <cstddef>
#include <vector>

#include "duetbench/decide/pairs.h"
#include "duetbench/decide/run_value.h"

// Other programs on a core, such as another guest on its other hardware thread, slow down unlike
// code unlike: a chain of loads by a tenth where a sum takes 1.8 times as long. A probe of the
// core's speed before each sample (platform/speed_probe.h) sees it. Where the variants of a pair
// are measured one after the other, in blocks of milliseconds, such a change between the blocks
// also moves the log-ratio of the run by up to ln 2. What is wanted is the ratio of variants that
// have a core for themselves.
namespace duetbench::stats {

// The positions of the pairs of `run` that were measured while the core was quiet: before old's and
// new's sample, and before their next ones, the probe was not slower than usual for this variant in
// this run by more than the part kDecision.slow_core. All positions where the probe's times are
// not known, or where fewer than kDecision.min_share_of_quiet_pairs would be left: such a run is
// one on a slow core (LeaveOutSlowCore). O(n log n).
std::vector<std::size_t> QuietPairs(const RunPairs& run);

// The pairs of `run` at `positions`. O(n).
RunPairs PairsAt(const RunPairs& run, const std::vector<std::size_t>& positions);

// ln of the typical time of the probe before the samples of `variant`, the mean of the middle half;
// NaN where a pair has none. O(n) expected.
double LogProbe(const RunPairs& run, int variant);

// Leaves out the runs in which the core was slower than in the run where it was fastest, for old or
// new, by more than the part kDecision.slow_core: somebody else executed on it, and the ratio is
// that of variants that have their CPU for themselves. Returns how many. None where less than
// kDecision.min_runs_on_quiet_core would be left, or the speed is not known of each run, of one
// machine. O(R).
std::size_t LeaveOutSlowCore(std::vector<RunValue>* runs);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_CORE_STATE_H_
