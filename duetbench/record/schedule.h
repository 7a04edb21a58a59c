#ifndef DUETBENCH_RECORD_SCHEDULE_H_
#define DUETBENCH_RECORD_SCHEDULE_H_

#include <cstdint>

namespace duetbench {

// The ways in which two variants share the machine. Reports have these numbers.
enum class Schedule : uint32_t {
  // At the same time, each on its own CPU; they swap CPUs between blocks (Bulej et al., ICPE
  // 2020, section 3).
  kDuet = 0,
  // One after the other in random ABBA order, on one CPU.
  kInterleaved = 1,
  // At the same time, on one CPU: the kernel lets them take turns of milliseconds. Their times are
  // those on the CPU.
  kSliced = 2,
  // One after the other in blocks of milliseconds, on one CPU. Caches and branch predictors are
  // those of one variant.
  kAlternating = 4,
};

// The CPUs of a variant and of the threads that it starts: all that the process may use.
inline constexpr int kAllCpus = 0;

// As --duet_schedule takes it.
constexpr const char* NameOf(Schedule schedule) {
  switch (schedule) {
    case Schedule::kDuet:
      return "duet";
    case Schedule::kInterleaved:
      return "interleaved";
    case Schedule::kSliced:
      return "sliced";
    case Schedule::kAlternating:
      return "alternating";
  }
  return "";
}

// The samples of a pair overlap in time.
constexpr bool RunsConcurrently(Schedule schedule) {
  return schedule == Schedule::kDuet || schedule == Schedule::kSliced;
}

constexpr bool UsesTwoCpus(Schedule schedule) { return schedule == Schedule::kDuet; }

// Resources that the two variants of a run share.
enum class Isolation : uint32_t {
  // A process: each variant has a thread in it, and what one writes the other reads.
  kThread = 0,
  // A start of the program, up to where the benchmark begins: each variant has the main thread of a
  // process that is forked there. What it measures is what a program does that has this variant
  // only: there is one thread, and nobody else has used the allocator.
  kFork = 2,
  // Nothing but the rendezvous: each variant has a start of the program.
  kProcess = 1,
  // As kFork, of one start that serves all runs: the program's own. For programs that can exist
  // only once, or whose start is expensive; all runs have the layouts of that start.
  kOnce = 3,
};

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_SCHEDULE_H_
