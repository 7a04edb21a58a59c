#ifndef DUETBENCH_RUNNER_COUNTING_H_
#define DUETBENCH_RUNNER_COUNTING_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "duetbench/counters/counter_set.h"
#include "duetbench/counters/event.h"
#include "duetbench/runner/plan.h"
#include "duetbench/runner/run_result.h"

// In which iterations the sides of a run count events. Counting must not change what is timed: a
// read() right before a batch of 50 µs costs it caches and branch history, and a group of counters
// that is enabled makes every page fault and context switch slower. So one in eight iterations
// counts and is not timed; in the other seven all counters are off. The first iteration of a round
// counts in any case: there may be few. Which ones is drawn at random,
// as are the turns of groups: whatever comes in a rhythm (the blocks, the swap of CPUs) meets every
// event equally often. Both sides count in the same iterations and turns, while both run.
//
// An iteration of 2 ms or more is timed and counted at once: what counting adds lies outside of its
// stamps, and the cold start that it leaves is below a thousandth of it. So is every iteration of a
// fixed number of operations, which has none to spare.
namespace duetbench {

// Measured iterations to one that counts.
inline constexpr uint32_t kIterationsPerCount = 8;

// Iterations at least this long are timed and counted at once.
inline constexpr double kLongIterationNs = 2e6;

// Whether iterations are timed and counted at once, whether iteration `index` counts, and in which
// turn of its groups; pure functions of what both sides know. `counted`: how many of this round
// have.
bool CountsAndTimes(const RunPlan& plan, double iteration_ns);
bool CountsIteration(const RunPlan& plan, double iteration_ns, uint64_t index, size_t counted);
uint64_t CountingTurn(const RunPlan& plan, uint64_t index);

// What one side counted in one iteration. Written by that side only.
struct CountRecord {
  uint64_t iteration;
  uint64_t operations;
  double cpu_ns;  // of the region; 0: it was preempted, so that it is not known
  Count counts[kMostEvents];
};
static_assert(std::is_trivially_copyable_v<CountRecord>);

// Adds up what both sides counted. An event that one side did not count in an iteration (its group
// was off the PMU, or it was another one's turn) does not count on the other side either. `tallies`
// has an element for each event.
void AddCounts(const CountRecord* old_records, size_t old_count, const CountRecord* new_records,
               size_t new_count, std::vector<EventTally>* tallies);

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_COUNTING_H_
