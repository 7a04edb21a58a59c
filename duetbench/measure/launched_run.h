#ifndef DUETBENCH_MEASURE_LAUNCHED_RUN_H_
#define DUETBENCH_MEASURE_LAUNCHED_RUN_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/run_result.h"

namespace duetbench {

// A run as its launcher returns it.
struct LaunchedRun {
  RunResult result;
  // The other pairs of a group's variants (variant_pair.h); `result` is the first one.
  std::vector<RunResult> others = {};
  double wall_ns = 0;        // start of the process to its end
  bool interrupted = false;  // the user wants no more runs
  std::string output;        // lines for stderr: what the processes of a failed run printed

  // By the number of the pair in PairsOfGroup.
  const RunResult& OfPair(size_t pair) const { return pair == 0 ? result : others[pair - 1]; }
  size_t pairs() const { return 1 + others.size(); }
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_LAUNCHED_RUN_H_
