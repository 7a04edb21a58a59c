#ifndef DUETBENCH_TESTS_EXPERIMENT_RUN_ALL_H_
#define DUETBENCH_TESTS_EXPERIMENT_RUN_ALL_H_

#include <functional>
#include <utility>

#include "absl/status/statusor.h"
#include "duetbench/experiment/experiment.h"
#include "duetbench/measure/run_process.h"
#include "duetbench/record/plan.h"

namespace duetbench {

// Executes one run.
using RunLauncher = std::function<absl::StatusOr<RunOfPairs>(const RunPlan&)>;
// Called before each run with the number of runs done, of all runs, and the seconds left.
using Progress = std::function<void(int done, int runs, double seconds_left)>;
inline void NoProgress(int, int, double) {}

// Launches all runs, one after the other, as experiment/launcher.cc does.
inline void LaunchAll(const RunLauncher& launch, const Progress& progress, Experiment* experiment) {
  while (const RunPlan* const plan = experiment->Next()) {
    if (experiment->HasProgress()) {
      progress(experiment->done(), experiment->runs(), experiment->SecondsLeft());
    }
    experiment->Take(launch(*plan));
  }
}

inline Comparison RunExperiment(const ExperimentOptions& options, const Machine& machine,
                                const RunLauncher& launch, const Progress& progress = NoProgress) {
  Experiment experiment(options, machine);
  LaunchAll(launch, progress, &experiment);
  return std::move(experiment.Finish().front());
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_EXPERIMENT_RUN_ALL_H_
