#ifndef DUETBENCH_EXPERIMENT_SIDE_RESULT_H_
#define DUETBENCH_EXPERIMENT_SIDE_RESULT_H_

#include <cstdint>
#include <vector>

#include "duetbench/experiment/loop_record.h"
#include "duetbench/experiment/plan.h"
#include "duetbench/experiment/run_result.h"

namespace duetbench {

// What one of the two processes of a run brings back.
struct SideResult {
  RunError error;         // of the process, and not of its loops
  bool stuck = false;     // the loops did not end in time
  uint32_t activity = 0;  // what they were doing (Activity)
  uint64_t overhead_ticks = 0;
  double wall_ns = 0;
  std::vector<std::vector<LoopRecord>> rounds;
};

// The run that the processes of old and new have executed together.
RunResult MergeSides(const RunPlan& plan, SideResult old_side, SideResult new_side);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_SIDE_RESULT_H_
