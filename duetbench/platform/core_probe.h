#ifndef DUETBENCH_PLATFORM_CORE_PROBE_H_
#define DUETBENCH_PLATFORM_CORE_PROBE_H_

#include <array>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"

namespace duetbench {

// Measures whether two CPUs are hardware threads of one core: guests misreport their topology, and
// a duet on two threads of one core must report it. The same loop of integer multiplications runs
// on one CPU alone and then on both at the same time. A core has one to three multipliers and the
// loop keeps them all busy, so it takes twice the time when the core is shared, and the same time
// when it is not (a few percent more where the clock is lowered as more cores are busy).

// Durations of the bursts of the loop, in any unit.
struct ProbeTimes {
  std::array<std::vector<double>, 2> alone;  // on either CPU, while the other is idle
  // Pairs of bursts that started together, on the first and on the second CPU.
  std::vector<std::array<double, 2>> together;
};

// Time together / time alone: 1 on separate cores, 2 on a shared one. Taken from the fastest burst
// on either CPU and from the pair with the smallest sum, since a disturbance only lengthens a
// burst. Nothing if there are no times, or if the loop was clearly faster together than alone: then
// every burst alone was disturbed.
std::optional<double> SlowDownOf(const ProbeTimes& times);

enum class CoreSharing { kSeparate, kShared, kUnclear };

// kSeparate up to 1.3, kShared from 1.6 to 2.6. Other values come from disturbed measurements: two
// threads take at most twice the time, unless they did not run at the same time at all (14 under
// valgrind, which runs one thread at a time).
CoreSharing ClassifySlowDown(double slow_down);

// Runs the loop on `cpu_a` and `cpu_b`, on two new threads: 5 ms on a quiet machine. On a
// busy one it ends after 9 ms of measuring with the bursts it has by then, plus the time that its
// threads wait for a CPU (20 ms in total beside three busy processes on two CPUs; there the
// slowdown was within 1.5 % of 1, too). Errors: a CPU that cannot be used; Unavailable when no pair
// of bursts could be run.
absl::StatusOr<ProbeTimes> ProbeCores(int cpu_a, int cpu_b);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_CORE_PROBE_H_
