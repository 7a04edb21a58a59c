#ifndef DUETBENCH_PLATFORM_CORE_PROBE_H_
#define DUETBENCH_PLATFORM_CORE_PROBE_H_

#include <array>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace duetbench {

// Measures whether two CPUs are hardware threads of one core: guests misreport their topology, and
// a duet on two threads of one core must report it. The same loop of integer multiplications runs
// on one CPU alone and then on both at the same time. A core has one to three multipliers and the
// loop keeps them all busy, so it takes twice the time when the core is shared, and the same time
// when it is not (a few percent more where the clock is lowered as more cores are busy).
//
// A probe tells of its moment. Of 962 probes within 50 minutes on a virtual machine with two CPUs
// (AMD EPYC, Zen 3), three in a row, within six seconds in which little else ran, found either CPU
// 1.5 to 1.9 times as slow beside the other, and as fast as ever alone: the host had moved them.
// Beside compilers on both CPUs six others looked like a shared core by their fastest pair.

// Durations of the bursts of the loop, in any unit.
struct ProbeTimes {
  std::array<std::vector<double>, 2> alone;  // on either CPU, while the other is idle
  // Pairs of bursts on the first and on the second CPU, which ran at the same time for at least
  // four fifths of the longer one.
  std::vector<std::array<double, 2>> together;
};

// Time together / time alone: 1 on separate cores, 2 on a shared one. The lower quartile of the
// pairs of bursts, over the sum of the fastest burst on either CPU: a burst that another process
// has interrupted is longer, and in every such pair one side was. Nothing if there are fewer than
// four pairs, or if the loop was clearly faster together than alone: then every burst alone was
// disturbed.
std::optional<double> SlowDownOf(const ProbeTimes& times);

enum class CoreSharing { kSeparate, kShared, kUnclear };

// kSeparate up to 1.3, kShared from 1.6 to 2.6. Other values come from disturbed measurements: two
// threads take at most twice the time, unless they did not run at the same time at all (14 under
// valgrind, which runs one thread at a time).
CoreSharing ClassifySlowDown(double slow_down);

// Verdict of several probes of two CPUs, from the slow-down of each. Bursts that are as fast
// together as alone need two cores: one such probe is proof. 'Shared' takes two probes, and none
// that was kUnclear in between: other programs on the CPUs may look like a shared core once.
// `slow_down` is that of the last one.
struct ProbeVerdict {
  CoreSharing sharing = CoreSharing::kUnclear;
  double slow_down = 0;
};
ProbeVerdict JudgeProbes(absl::Span<const double> slow_downs);

// Runs the loop on `cpu_a` and `cpu_b`, on two new threads: 5 ms on a quiet machine. On a
// busy one it ends after 9 ms of measuring with the bursts it has by then, plus the time that its
// threads wait for a CPU. Errors: a CPU that cannot be used; Unavailable when no two bursts ran at
// the same time.
absl::StatusOr<ProbeTimes> ProbeCores(int cpu_a, int cpu_b);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_CORE_PROBE_H_
