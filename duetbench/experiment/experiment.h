#ifndef DUETBENCH_EXPERIMENT_EXPERIMENT_H_
#define DUETBENCH_EXPERIMENT_EXPERIMENT_H_

#include <functional>

#include "absl/status/statusor.h"
#include "duetbench/experiment/experiment_result.h"
#include "duetbench/experiment/machine.h"
#include "duetbench/experiment/options.h"
#include "duetbench/experiment/plan.h"
#include "duetbench/experiment/run_result.h"
#include "duetbench/experiment/stopping_rule.h"

namespace duetbench {

// A run as its launcher returns it.
struct LaunchedRun {
  RunResult result;
  double wall_ns = 0;        // start of the process to its end
  bool interrupted = false;  // the user wants no more runs
};

// Executes one run, in a new process (run_process.h) or in this one. An error status means that no
// run can be launched, whatever the variants do.
using RunLauncher = std::function<absl::StatusOr<LaunchedRun>(const RunPlan&)>;

// Called before each run with the number of runs done, of all runs, and the seconds left.
using Progress = std::function<void(int done, int runs, double seconds_left)>;

// Makes the runs of one duet benchmark, each planned with the same batch, and summarizes them.
//
// A first run calibrates; others may choose the schedule (pilots.h). What its start, its set-up and
// its warm-up took decides how many runs the measuring time is divided into (options.runs = 0:
// ChooseRuns). Runs differ: what a process cannot see about itself (page placement, allocator
// state, code alignment of its threads) is as large as the noise within it. So many short runs give
// a narrower interval than few long ones. A run that fails ends the experiment with its error; an
// interrupted one with the runs before it.
//
// With options.runs = 0 `stopping_rule`, if there is one, ends the experiment: the runs are as long
// as without it, but their number is not fixed.
//
// With options.dry_run there is one run, of one pair, of one iteration of each variant.
ExperimentResult RunExperiment(const ExperimentOptions& options, const Machine& machine,
                               const RunLauncher& launch, const Progress& progress,
                               StoppingRule* stopping_rule = nullptr);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_EXPERIMENT_H_
