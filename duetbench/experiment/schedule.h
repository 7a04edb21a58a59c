#ifndef DUETBENCH_EXPERIMENT_SCHEDULE_H_
#define DUETBENCH_EXPERIMENT_SCHEDULE_H_

#include <cstdint>

namespace duetbench {

// How the two variants share the machine.
enum class Schedule : uint32_t {
  kDuet,         // at the same time, on two CPUs
  kInterleaved,  // one after the other in random ABBA order, on one CPU
};

// The samples of a pair overlap in time.
constexpr bool RunsConcurrently(Schedule schedule) { return schedule == Schedule::kDuet; }

// The variants swap CPUs between blocks.
constexpr bool SwapsCpus(Schedule schedule) { return schedule == Schedule::kDuet; }

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_SCHEDULE_H_
