#ifndef DUETBENCH_GATES_COMPARISON_H_
#define DUETBENCH_GATES_COMPARISON_H_

#include <limits>
#include <memory>
#include <string>

#include "duetbench/estimate/comparison.h"
#include "duetbench/experiment/experiment.h"
#include "duetbench/plan/options.h"

namespace duetbench {

class InterimAnalyses;

// Further needs of a comparison, as its last analysis tells.
struct Prospect {
  // Further runs before its second analysis. With those of the first one alone, a simultaneous
  // bound over a suite would be several times as wide, for the few degrees of freedom.
  double first_runs = 0;
  // Further runs after which a final analysis would probably decide it, and after which an interim
  // analysis would and so end it early; infinite: no number of runs would, or it is not known.
  double runs_to_decide = std::numeric_limits<double>::infinity();
  double runs_to_end = std::numeric_limits<double>::infinity();
  double run_s = 0;  // wall time of a run; 0: there was none
};

// The experiment of a comparison, with interim analyses where it is measured until it is decided,
// whose runs somebody else launches (experiment.h).
class ComparisonInProgress {
 public:
  // `machine` outlives it.
  ComparisonInProgress(ExperimentOptions options, const Machine& machine);
  ComparisonInProgress(const ComparisonInProgress&) = delete;
  ComparisonInProgress& operator=(const ComparisonInProgress&) = delete;
  ~ComparisonInProgress();

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

#endif  // DUETBENCH_GATES_COMPARISON_H_
