#ifndef DUETBENCH_TESTS_EXPERIMENT_MEASURE_H_
#define DUETBENCH_TESTS_EXPERIMENT_MEASURE_H_

#include "duetbench/experiment/experiment.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {

inline constexpr double kWarmUpNs = 1e6;  // of a run with short samples

// With the schedule duet, unless another one is demanded.
inline Comparison Measure(FakeLauncher& launcher, ExperimentOptions options = {}) {
  if (!options.schedule.has_value()) options.schedule = Schedule::kDuet;
  return RunExperiment(launcher, options);
}

inline ExperimentOptions Runs(int runs, double min_time = 1) {
  ExperimentOptions options;
  options.runs = runs;
  options.min_time = min_time;
  return options;
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_EXPERIMENT_MEASURE_H_
