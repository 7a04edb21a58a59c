#ifndef DUETBENCH_EXPERIMENT_SIDE_RESULT_H_
#define DUETBENCH_EXPERIMENT_SIDE_RESULT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "duetbench/experiment/loop_record.h"
#include "duetbench/experiment/plan.h"
#include "duetbench/experiment/run_result.h"

namespace duetbench {

// What a process brings back that has executed loops of a run: one of them, those of a variant, or
// all.
struct SideResult {
  RunError error;                   // of the process, and not of its loops
  bool stuck = false;               // the loops did not end in time
  uint32_t activities[2] = {0, 0};  // what they were doing (Activity), by variant
  uint64_t overhead_ticks = 0;
  double wall_ns = 0;
  int32_t started_threads[3] = {0, 0, 0};  // as in RunResult
  std::string notice;                      // of the process, and not of its loops
  std::vector<std::vector<LoopRecord>> rounds;
};

// What processes have executed together, each of them other loops. An error of one of them is an
// error of all.
SideResult Combine(std::vector<SideResult> parts);

// The run that `all` its loops are.
RunResult RunOf(const RunPlan& plan, SideResult all);

// The run that the processes of old and new have executed together.
RunResult MergeSides(const RunPlan& plan, SideResult old_side, SideResult new_side);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_SIDE_RESULT_H_
