#ifndef DUETBENCH_RUNNER_EXPERIMENT_H_
#define DUETBENCH_RUNNER_EXPERIMENT_H_

#include <csignal>
#include <functional>

#include "absl/status/statusor.h"
#include "duetbench/runner/comparison.h"
#include "duetbench/runner/machine.h"
#include "duetbench/runner/options.h"
#include "duetbench/runner/plan.h"
#include "duetbench/runner/run_result.h"

namespace duetbench {

// A run as it came back from whoever executed it.
struct LaunchedRun {
  RunResult result;
  double wall_ns = 0;        // start of the process to its end
  bool interrupted = false;  // the user wants no more
};

// Executes one run: in a new process (registry/run_process.h) or in this one. An error status means
// that runs cannot be had at all, whatever the variants do.
using RunLauncher = std::function<absl::StatusOr<LaunchedRun>(const RunPlan&)>;

// Called before each run with the number of runs done, of all runs, and the seconds left.
using Progress = std::function<void(int done, int runs, double seconds_left)>;

// Does the R runs of one duet benchmark, each planned with the same batch, and summarises them.
//
// A first run only calibrates; its wall time tells what starting a run costs, and from that how
// many runs the measuring time is divided into (options.runs = 0). Runs differ: what a process
// cannot see about itself (page placement, allocator state, code alignment of its threads) is as
// large as the noise within it, so that many short runs give a narrower interval than few long
// ones. A run that fails ends the experiment with its error; an interrupted one with what there is.
//
// With a gate and options.runs = 0 the runs are as long, but not so many are planned: the gate is
// looked at after 5, 8, 12, 18, … runs (stats/looks.h) until a look ends the measuring (gate.h), or
// the processes have taken MaxTime(options) seconds, or would have with one more; at that time
// there is a last look. Five runs are made whatever they take.
//
// With options.dry_run there is one run, of one pair, of one operation on each side.
Comparison RunExperiment(const ExperimentOptions& options, const Machine& machine,
                         const RunLauncher& launch, const Progress& progress);

// How many runs to divide `min_time` seconds into when starting one costs `overhead` seconds: as
// many as keep all starts below a quarter of it, 10 to 40.
int ChooseRuns(double min_time, double overhead);

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_EXPERIMENT_H_
