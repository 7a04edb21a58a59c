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
  // By pair of variants, as PairsOfGroup has them: a duet has one. An error is one of all.
  std::vector<RunResult> pairs = std::vector<RunResult>(1);
  double wall_ns = 0;        // start of the process to its end
  bool interrupted = false;  // the user wants no more runs
  std::string output;        // lines for stderr: what the processes of a failed run printed

  // That of the first pair, which stands for all where they are alike: batch, times, errors.
  RunResult& result() { return pairs.front(); }
  const RunResult& result() const { return pairs.front(); }
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_LAUNCHED_RUN_H_
