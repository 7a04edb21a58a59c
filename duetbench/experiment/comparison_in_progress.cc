#include "duetbench/experiment/comparison_in_progress.h"

#include <algorithm>
#include <string>
#include <utility>

#include "duetbench/decide/gate.h"
#include "duetbench/decide/select_pairs.h"

namespace duetbench {

ComparisonInProgress::ComparisonInProgress(ExperimentOptions options, const Machine& machine)
    : options_(std::move(options)),
      machine_(machine),
      analyses_(!options_.gates.empty() || options_.until_verdict
                    ? std::make_unique<InterimAnalyses>(options_, machine.ns_per_tick)
                    : nullptr),
      experiment_(options_, machine, analyses_.get()) {}

Prospect ComparisonInProgress::prospect() const {
  const int done = experiment_.done();
  Prospect prospect;
  if (analyses_ != nullptr && options_.runs == 0) {
    prospect = analyses_->prospect(done);
  } else {
    prospect.first_runs = std::max(1, experiment_.runs() - done);
  }
  prospect.run_s = experiment_.SecondsOfRun();
  return prospect;
}

Comparison ComparisonInProgress::Finish() {
  Comparison comparison = experiment_.Finish();
  comparison.within_budget = options_.until_verdict;
  JudgeGates(options_, machine_.ns_per_tick, &comparison);
  Estimate* const estimate = comparison.estimate();
  if (estimate != nullptr && analyses_ != nullptr && options_.runs == 0) {
    estimate->analyses = analyses_->analyses();
    estimate->time_spent = analyses_->time_spent();
  }
  return comparison;
}

void JudgeGates(const ExperimentOptions& options, double ns_per_tick, Comparison* comparison) {
  Estimate* const estimate = comparison->estimate();
  if (estimate == nullptr) return;
  const bool needs_calls =
      std::any_of(options.gates.begin(), options.gates.end(),
                  [](const GateSpec& gate) { return gate.metric.is_quantile(); });
  estimate->gates = JudgeGates(
      options, comparison->results,
      needs_calls ? SelectPairs(comparison->results, options, ns_per_tick) : SelectedPairs(),
      *estimate);
}

namespace {

Comparison ComparisonOf(Failure failure) {
  Comparison comparison;
  comparison.outcome = std::move(failure);
  return comparison;
}

}  // namespace

Comparison FailedComparison(std::string cause) {
  Failure failure;
  failure.error.cause = std::move(cause);
  return ComparisonOf(std::move(failure));
}

Comparison UnchangedComparison() {
  Failure failure;
  failure.error.cause = "UNCHANGED: the same program; files that it reads are not compared";
  failure.error.skipped = true;
  failure.unchanged = true;
  return ComparisonOf(std::move(failure));
}

Comparison OutOfTimeComparison() {
  Failure failure;
  failure.error.cause = "not measured: the time of --duet_budget was over";
  failure.error.skipped = true;
  failure.out_of_time = true;
  return ComparisonOf(std::move(failure));
}

}  // namespace duetbench
