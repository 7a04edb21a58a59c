#ifndef DUETBENCH_EXPERIMENT_PILOTS_H_
#define DUETBENCH_EXPERIMENT_PILOTS_H_

#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/experiment/experiment_result.h"
#include "duetbench/experiment/machine.h"
#include "duetbench/experiment/options.h"
#include "duetbench/experiment/plan.h"
#include "duetbench/experiment/run_sequence.h"
#include "duetbench/experiment/schedule_in_use.h"

namespace duetbench {

// The runs of an experiment before those that measure: a calibration, and, where the schedule may
// be chosen, short runs whose intervals are compared (schedule_choice.h). They also tell what a run
// costs, whether the variants start threads, and whether they disturb each other so much that no
// statistics are needed; then runs that would be given up are saved. Together they take a tenth of
// the time.
class Pilots {
 public:
  Pilots(const ExperimentOptions& options, const Machine& machine, ScheduleInUse* schedule,
         RunSequence* runs)
      : options_(options), machine_(machine), schedule_(*schedule), runs_(*runs) {}

  // Calibrates `plan`, and gives it the schedule that is chosen. False: the experiment ends.
  bool Launch(RunPlan* plan);

  // What was found, of a run with the plan.
  const RunCosts& costs() const { return costs_; }
  // The notice about threads that the variants started, if they did.
  void AddTo(ExperimentResult* result) const;

 private:
  bool LaunchAll(RunPlan* plan);
  bool LaunchCalibration(RunPlan* plan);
  bool UseTwoSetUps(RunPlan* plan, bool has_pilot);
  bool Compare(RunPlan* plan);
  bool UseAllCpus(RunPlan* plan);
  void TakeLeastStart();
  bool WatchesThreads() const;
  bool FindsThreads();

  const ExperimentOptions& options_;
  const Machine& machine_;
  ScheduleInUse& schedule_;
  RunSequence& runs_;
  RunCosts costs_;
  int started_threads_[3] = {0, 0, 0};  // as in RunResult
};

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_PILOTS_H_
