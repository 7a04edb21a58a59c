#ifndef DUETBENCH_EXPERIMENT_SCHEDULE_IN_USE_H_
#define DUETBENCH_EXPERIMENT_SCHEDULE_IN_USE_H_

#include <optional>
#include <string>

#include "absl/types/span.h"
#include "duetbench/experiment/experiment_result.h"
#include "duetbench/experiment/machine.h"
#include "duetbench/experiment/mutual_disturbance.h"
#include "duetbench/experiment/options.h"
#include "duetbench/experiment/plan.h"
#include "duetbench/experiment/run_result.h"
#include "duetbench/experiment/schedule.h"

namespace duetbench {

// A shorter experiment has no pilots: they would be too short to tell anything.
inline constexpr double kMinTimeOfPilots = 0.2;

// Which schedule an experiment uses, and why: it was demanded, or pilots have chosen it, or the
// variants disturb each other with another one.
class ScheduleInUse {
 public:
  ScheduleInUse(const ExperimentOptions& options, const Machine& machine);

  // It is to be chosen: none is demanded, there are two CPUs and time for pilots, and each run ends
  // by time.
  bool MayChoose() const;
  // On one CPU there is nothing to demand.
  bool IsDemanded() const;

  // The options with the schedule and the CPUs of a variant that are used.
  const ExperimentOptions& options() const { return effective_; }

  // From a run in which each CPU had both variants: whether one of the two is slower by more than
  // 5 %, for a neighbour on its core, say. A schedule on one CPU then uses the other one.
  void FindSlowerCpu(const RunResult& crossed);
  // Changes to `schedule`, in `plan`, too. `reason`: one line for people.
  void Change(Schedule schedule, std::string reason, RunPlan* plan);
  // The same to the one that a pilot found to have the narrowest interval.
  void ChangeToNarrowest(Schedule schedule, std::string reason, RunPlan* plan);
  // To one in which a variant has all CPUs for the threads that it starts.
  void ChangeToAllCpus(RunPlan* plan);
  // Since the variants disturb each other: in turns or, where that is known to disturb them, in
  // blocks.
  void ChangeToOneAtATime(RunPlan* plan);

  // Whether `runs` runs with `plan`, whose budget is known, would execute variants at the same time
  // without showing whether they disturb each other: the runs have no segments, or too few of them
  // have. ChangeToUnverified() has them take turns on one CPU instead, where nothing is demanded.
  bool CannotTellDisturbance(const RunPlan& plan, int runs) const;
  void ChangeToUnverified(RunPlan* plan);

  // Whether runs of the schedule that the pilots have chosen show that slow moments hit one
  // variant, which may be due to turns (schedule_choice.h). ChangeToAtTheSameTime() tells.
  bool FindsSlowMomentsInTurns(absl::Span<const RunResult> results) const;
  void ChangeToAtTheSameTime(RunPlan* plan);

  // Whether pilots show that the variants disturb each other with the schedule `chosen`: a crossed
  // one, and an interleaved one, which has segments.
  bool FindsDisturbanceInPilots(Schedule chosen, const RunResult& crossed,
                                const RunResult& interleaved);
  // The same of one pilot at the same time with segments.
  bool FindsDisturbanceInPilot(const RunResult& with_segments);
  // Whether runs with the present schedule do.
  bool FindsDisturbance(absl::Span<const RunResult> results);

  // Enters what a reader of the result must know of it. Where variants that disturb each other were
  // measured together, because that was demanded, there is no verdict.
  void AddTo(ExperimentResult* result) const;

 private:
  bool HasNoSegments() const;

  const ExperimentOptions& options_;
  const Machine& machine_;
  ExperimentOptions effective_;
  std::string reason_;
  int slower_cpu_ = -1;  // its number in machine_.cpus; -1: none
  bool has_narrowest_pilot_ = false;
  std::optional<MutualDisturbance> disturbance_;  // as last looked
  bool disturb_each_other_ = false;
  bool at_the_same_time_ = true;   // they did it, and not in turns
  bool disturb_in_turns_ = false;  // by the pilot
  bool is_one_at_a_time_ = false;  // therefore
};

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_SCHEDULE_IN_USE_H_
