#ifndef DUETBENCH_GATES_COMPARISON_H_
#define DUETBENCH_GATES_COMPARISON_H_

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "duetbench/experiment/experiment.h"
#include "duetbench/explain/explanation.h"
#include "duetbench/gates/comparison_options.h"
#include "duetbench/gates/gate.h"
#include "duetbench/gates/ranking.h"
#include "duetbench/text/variant_names.h"

namespace duetbench {

class InterimAnalyses;

// Result of a duet benchmark: the result of its experiment and, if it has gates and there is an
// estimate, their results.
struct Comparison : ExperimentResult {
  std::optional<GateResult> gate;
  std::vector<CounterGateResult> counter_gates;
  std::vector<QuantileGateResult> quantile_gates;
  Explanation explanation;         // of the verdict, if it was wanted
  bool within_budget = false;      // of a suite (ComparisonOptions::until_verdict)
  VariantNames names;              // of the functions, for sentences
  std::optional<Ranking> ranking;  // of its group; one comparison of each has it

  bool has_gates() const {
    return gate.has_value() || !counter_gates.empty() || !quantile_gates.empty();
  }
  // Why the gate on times or, without one, the verdict is undecided. There is an estimate.
  stats::Why why() const { return gate.has_value() ? gate->why : estimate()->why; }
};

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
  ComparisonInProgress(ComparisonOptions options, const Machine& machine);
  ComparisonInProgress(const ComparisonInProgress&) = delete;
  ComparisonInProgress& operator=(const ComparisonInProgress&) = delete;
  ~ComparisonInProgress();

  const ComparisonOptions& options() const { return options_; }
  Experiment& experiment() { return experiment_; }
  const Experiment& experiment() const { return experiment_; }
  Prospect prospect() const;
  // The result of the runs so far, with the gates judged. Call it once; nothing else after it.
  Comparison Finish();

 private:
  const ComparisonOptions options_;
  const Machine& machine_;
  const std::unique_ptr<InterimAnalyses> analyses_;  // may be null
  Experiment experiment_;
};

// Judges the gates of `options` by a comparison that was made with this share of 1 - level.
void JudgeGates(const ComparisonOptions& options, double ns_per_tick, double share,
                Comparison* comparison);

// A comparison that failed before there was a run.
Comparison FailedComparison(std::string cause);

// One that was not measured, as old and new are the same program.
Comparison UnchangedComparison();

// A comparison that --duet_budget had no time for.
Comparison OutOfTimeComparison();

}  // namespace duetbench

#endif  // DUETBENCH_GATES_COMPARISON_H_
