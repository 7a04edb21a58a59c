#ifndef DUETBENCH_EXPERIMENT_COMPARISON_IN_PROGRESS_H_
#define DUETBENCH_EXPERIMENT_COMPARISON_IN_PROGRESS_H_

#include <memory>
#include <string>

#include "duetbench/decide/comparison.h"
#include "duetbench/decide/interim_analyses.h"
#include "duetbench/experiment/experiment.h"
#include "duetbench/record/options.h"

namespace duetbench {

// The experiment of a comparison, with interim analyses where it is measured until it is decided,
// whose runs somebody else launches (experiment.h).
class ComparisonInProgress {
 public:
  // `machine` outlives it.
  ComparisonInProgress(ExperimentOptions options, const Machine& machine);
  ComparisonInProgress(const ComparisonInProgress&) = delete;
  ComparisonInProgress& operator=(const ComparisonInProgress&) = delete;

  const ExperimentOptions& options() const { return options_; }
  Experiment& experiment() { return experiment_; }
  const Experiment& experiment() const { return experiment_; }
  Prospect prospect() const;
  // The result of the runs so far, with the gates judged. Call it once; nothing else after it.
  Comparison Finish();

 private:
  const ExperimentOptions options_;
  const Machine& machine_;
  const std::unique_ptr<InterimAnalyses> analyses_;  // may be null
  Experiment experiment_;
};

// Judges the gates of `options` by the estimate, if there is one.
void JudgeGates(const ExperimentOptions& options, double ns_per_tick, Comparison* comparison);

// A comparison that failed before there was a run.
Comparison FailedComparison(std::string cause);

// One that was not measured, as old and new are the same program.
Comparison UnchangedComparison();

// A comparison that --duet_budget had no time for.
Comparison OutOfTimeComparison();

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_COMPARISON_IN_PROGRESS_H_
