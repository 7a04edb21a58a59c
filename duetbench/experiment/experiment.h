#ifndef DUETBENCH_EXPERIMENT_EXPERIMENT_H_
#define DUETBENCH_EXPERIMENT_EXPERIMENT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/decide/evidence.h"
#include "duetbench/decide/select_pairs.h"
#include "duetbench/decide/stopping_rule.h"
#include "duetbench/experiment/course.h"
#include "duetbench/experiment/machine.h"
#include "duetbench/experiment/policy.h"
#include "duetbench/measure/launched_run.h"
#include "duetbench/record/options.h"
#include "duetbench/record/plan.h"
#include "duetbench/stats/variant_pair.h"

namespace duetbench {

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
// With options.runs = 0 a stopping rule, if there is one, ends the experiment: the runs are as long
// as without it, but their number is not fixed.
//
// With options.dry_run there is one run, of one pair, of one iteration of each variant.
//
//   Experiment experiment(options, machine);
//   while (const RunPlan* const plan = experiment.Next()) experiment.Take(launch(*plan));
//   Comparison result = experiment.Finish();
class Experiment {
 public:
  // All of them outlive the experiment; `stopping_rule` may be null.
  Experiment(const ExperimentOptions& options, const Machine& machine,
             StoppingRule* stopping_rule = nullptr);
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  // The plan of the next run, the same until Take; call it right before the launch. Null: the
  // experiment is over.
  const RunPlan* Next();
  // Takes the outcome of the run with that plan, in a new process (run_process.h) or in this one.
  // An error status means that no run can be launched, whatever the variants do.
  void Take(absl::StatusOr<LaunchedRun> launched);
  // The user wants no more runs.
  void Interrupt();
  // There is no time for more runs: the result is that of the runs so far.
  void End() { is_over_ = true; }
  // The result of the runs so far. Call it once; nothing else after it.
  Comparison Finish();

  // The following are for a group (ExperimentOptions::variants). Its plans and its number of runs
  // are those of its first pair, with which the others are measured.
  int variants() const { return setting_.options.variants; }
  const ExperimentOptions& options() const { return setting_.options; }
  bool has_results() const { return failure_.error.cause.empty() && !evidence_.results().empty(); }
  // The pairs of the runs so far, of two variants.
  SelectedPairs SelectPair(const VariantPair& pair) const;
  // In place of Finish, for each pair. A failure has the number of the variant in the group.
  Comparison FinishPair(const VariantPair& pair, double share);

  // The plan of the last run.
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
  // Pairs of the runs so far, all of which are kept until Finish.
  size_t pairs() const;

 private:
  void AskWhetherEnough();
  // Makes the rule that ends the experiment by what the course says now.
  void PlanEnd(const Course& course);
  // Carries out a step that launches nothing.
  void Apply(const Step& step);
  void Keep(LaunchedRun launched);
  Comparison SummarizeRuns(std::vector<RunResult> results, const Course& course, double share);
  Course CourseOfPair(size_t index) const;
  // The place in PairsOfGroup; 0: that of the evidence.
  size_t IndexOf(const VariantPair& pair) const;

  const Setting setting_;
  StoppingRule* const stopping_rule_;    // null: a number of runs that is known before
  std::optional<FixedRuns> fixed_runs_;  // in place of it
  StoppingRule* rule_ = nullptr;         // either of them, once runs measure

  Evidence evidence_;
  Step step_;
  bool has_step_ = false;
  double start_s_ = 0;     // of the next run (RunResult)
  double last_run_s_ = 0;  // wall time of the last run
  bool is_over_ = false;
  bool interrupted_ = false;
  Failure failure_;         // its cause may be empty
  RunResult last_dry_run_;  // its run
};

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_EXPERIMENT_H_
