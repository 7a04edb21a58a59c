#ifndef DUETBENCH_EXPERIMENT_RUN_SEQUENCE_H_
#define DUETBENCH_EXPERIMENT_RUN_SEQUENCE_H_

#include "duetbench/experiment/experiment.h"
#include "duetbench/experiment/experiment_result.h"
#include "duetbench/experiment/plan.h"
#include "duetbench/experiment/time_account.h"

namespace duetbench {

// The processes of one experiment, one after the other: the result of the last one, where the time
// of all of them went, and how they ended before there was a result.
class RunSequence {
 public:
  explicit RunSequence(const RunLauncher& launch) : launch_(launch) {}

  // Launches a run into last(). False where the experiment ends: by a failure in `run` (-1: in none
  // of those that measure), or by an interruption.
  bool Launch(const RunPlan& plan, int run);

  LaunchedRun& last() { return last_; }
  const Failure& failure() const { return failure_; }
  bool interrupted() const { return interrupted_; }

  const TimeAccount& account() const { return account_; }
  // All runs so far were pilots.
  void EndPilots() { account_.EndPilots(); }
  // This share of the samples was warm-up after all.
  void LeaveOutWarmUp(double share) { account_.LeaveOutWarmUp(share); }

 private:
  const RunLauncher& launch_;
  LaunchedRun last_;
  Failure failure_;
  bool interrupted_ = false;
  TimeAccount account_;
};

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_RUN_SEQUENCE_H_
