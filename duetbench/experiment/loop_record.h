#ifndef DUETBENCH_EXPERIMENT_LOOP_RECORD_H_
#define DUETBENCH_EXPERIMENT_LOOP_RECORD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "duetbench/experiment/event_counting.h"
#include "duetbench/experiment/run_result.h"
#include "duetbench/experiment/sample.h"
#include "duetbench/variant/variant_report.h"

namespace duetbench {

// What one measuring loop left behind: all that a run is made of, and without pointers into the
// process that executed it.
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
  double empty_ns = 0;  // RunResult::empty_ns
  CallTally calls = {};
  uint64_t allocations = 0;
  uint64_t allocating_iterations = 0;
  std::vector<Sample> samples;
  std::vector<CountRecord> counts;
};

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_LOOP_RECORD_H_
