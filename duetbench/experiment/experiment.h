#ifndef DUETBENCH_EXPERIMENT_EXPERIMENT_H_
#define DUETBENCH_EXPERIMENT_EXPERIMENT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/decide/stopping_rule.h"
#include "duetbench/experiment/course.h"
#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/experiment/policy.h"
#include "duetbench/measure/run_process.h"
#include "duetbench/record/options.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/variant_pair.h"
#include "duetbench/record/verdict.h"

namespace duetbench {

// A comparison that an experiment is asked for: of two of its variants, with the gates on it.
struct Question {
  VariantPair pair;
  std::vector<GateSpec> gates;
};

// The comparisons that are reported of a group, and the names of its variants.
struct GroupQuestions {
  std::vector<Question> questions;
  std::vector<std::string> names;
};

// The runs of one duet benchmark, one by one: whoever has it launches them, at once or with those
// of other experiments between them, and gets the summary. Which runs they are is decided by the
// policy (policy.h).
//
// A first run calibrates (calibration.h). What its start, its set-up and its warm-up took decides
// how many runs the measuring time is divided into (options.runs = 0: ChooseRuns). Runs differ:
// what a process cannot see about itself (page placement, allocator state, code alignment of its
// threads) is as large as the noise within it. So many short runs give a narrower interval than few
// long ones. A run that fails ends the experiment with its error; an interrupted one with the runs
// before it.
//
// Where interim analyses end it (stopping_rule.h), the number of runs is not fixed.
class Experiment {
 public:
  // `machine` outlives it. `group`: of more than two variants.
  Experiment(ExperimentOptions options, const Machine& machine, GroupQuestions group = {});
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  // The plan of the next run, the same until Take; call it right before the launch. Null: the
  // experiment is over.
  const RunPlan* Next();
  // Takes the outcome of the run with that plan, in a new process (run_process.h) or in this one.
  // An error status means that no run can be launched, whatever the variants do.
  void Take(absl::StatusOr<RunOfPairs> launched);
  // The user wants no more runs.
  void Interrupt();
  // There is no time for more runs: the result is that of the runs so far.
  void End() { is_over_ = true; }
  // The answers by the runs so far, one for each question; of a duet there is one. Call it once;
  // nothing else after it. The intervals of a group hold together with the level, as a reader picks
  // the most striking one, and its last comparison with the base has the ranking.
  std::vector<Comparison> Finish();

  // The plan of the runs that measure.
  const RunPlan& last_plan() const { return step_.course.plan; }
  // Why the next run takes place, or why there is none: one line for people.
  const std::string& reason() const { return step_.reason; }
  // The next run is no check and no dry run: there is progress to show.
  bool HasProgress() const;
  // Runs that have measured, all that are planned (0: not known yet), and the seconds left.
  int done() const { return static_cast<int>(evidence_.results().size()); }
  int runs() const;
  double SecondsLeft() const;
  // Wall time of a run in seconds: the mean of those that have measured, else that of the last
  // pilot, or run that was given up; 0: there was none.
  double SecondsOfRun() const;
  // Wall time in seconds of a run that was out of time (RunResult); 0: there was none.
  double ended_after_s() const { return ended_after_s_; }
  Prospect prospect() const;
  // Pairs of the runs so far, all of which are kept until Finish.
  size_t pairs() const;

 private:
  void AskWhetherEnough();
  // Makes the rule that ends the experiment by what the course says now.
  void PlanEnd(const Course& course);
  // Carries out a step that launches nothing.
  void Apply(const Step& step);
  void Keep(RunOfPairs launched);
  void KeepPairs(RunOfPairs launched, std::vector<std::vector<RunResult>>* pairs);
  Comparison Failed();
  Comparison Answer(const Question& question, double share);
  Ranking RankGroup() const;
  // As far as it concerns the pair at this place of PairsOfGroup.
  Course CourseOfPair(size_t index) const;

  const ExperimentOptions options_;
  const GroupQuestions group_;
  StoppingRule rule_;

  Evidence evidence_;
  Step step_;
  bool has_step_ = false;
  double start_s_ = 0;        // of the next run (RunResult)
  double last_run_s_ = 0;     // wall time of the last run
  double ended_after_s_ = 0;  // of the last one that was out of time
  bool is_over_ = false;
  bool interrupted_ = false;
  Failure failure_;         // its cause may be empty
  RunResult last_dry_run_;  // its run
};

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_EXPERIMENT_H_
