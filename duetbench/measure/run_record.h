#ifndef DUETBENCH_MEASURE_RUN_RECORD_H_
#define DUETBENCH_MEASURE_RUN_RECORD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "duetbench/measure/event_counting.h"
#include "duetbench/record/explanation.h"
#include "duetbench/record/pair_records.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/run_result.h"
#include "duetbench/variant/variant_report.h"

namespace duetbench {

// Record of one measuring loop: all that a run is made of, without pointers into the process that
// executed it.
struct LoopRecord {
  int variant = 0;
  std::string error;  // empty: none
  bool skipped = false;
  VariantReport report;
  std::string notice;
  uint64_t batch = 0;
  double sample_ns = 0;
  double set_up_ns = 0;
  double unmeasured_ns = 0;
  EmptyTally empty = {};
  double pause_share = 0;  // RunResult
  FirstIteration first_iteration;
  double call_set_ups_ns = 0;
  uint64_t allocations = 0;
  uint64_t allocating_iterations = 0;
  double peak_heap_bytes = -1;  // run_result.h; -1: not known
  double peak_rss_bytes = -1;   // of its process
  CountedStacks stacks;         // RunPlan::stack_interval_ns
  std::vector<Sample> samples;
  std::vector<CountRecord> counts;
};

// Record of a process that has executed loops of a run: one of them, those of a variant, or all. It
// is the only content of the channel between processes (run_protocol.h).
struct RunRecord {
  RunError error;                          // of the process, and not of its loops
  bool stuck = false;                      // the loops did not end in time
  uint32_t activities[kMaxVariants] = {};  // what they were doing (Activity), by variant
  uint64_t overhead_ticks = 0;
  double wall_ns = 0;
  int32_t started_threads[3] = {0, 0, 0};  // as in RunResult
  std::string notice;                      // of the process, and not of its loops
  std::vector<LoopRecord> loops;
};

// True if the process or one of its loops has an error.
bool HasError(const RunRecord& record);

// Combines the records of processes that executed different loops of one run. An error of one of
// them is an error of all. At least one.
RunRecord Combine(std::vector<RunRecord> parts);

// The run with that plan, from the records of its processes: of one, or of one for each variant. Of
// each pair of its variants (PairsOfGroup), which share their samples; a duet has one. An error is
// one of all pairs, which then have nothing else, with the number of the variant. A plan that
// checks for equal results has an error if what the variants reported differs.
RunOfPairs RunsOf(const RunPlan& plan, std::vector<RunRecord> processes);

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_RUN_RECORD_H_
