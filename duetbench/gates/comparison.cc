#include "duetbench/gates/comparison.h"

#include <algorithm>
#include <string>
#include <utility>

#include "duetbench/estimate/select_pairs.h"
#include "duetbench/gates/interim_analyses.h"

namespace duetbench {

ComparisonInProgress::ComparisonInProgress(ComparisonOptions options, const Machine& machine)
    : options_(std::move(options)),
      machine_(machine),
      analyses_(options_.has_gates() || options_.until_verdict
                    ? std::make_unique<InterimAnalyses>(options_, machine.ns_per_tick)
                    : nullptr),
      experiment_(options_, machine, analyses_.get()) {}

ComparisonInProgress::~ComparisonInProgress() = default;

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
  const ComparisonOptions& options = options_;
  Comparison comparison;
  static_cast<ExperimentResult&>(comparison) = experiment_.Finish();
  comparison.within_budget = options.until_verdict;
  if (analyses_ == nullptr) return comparison;
  const InterimAnalyses& analyses = *analyses_;
  const bool until_decided = options.runs == 0;
  JudgeGates(options, machine_.ns_per_tick, until_decided ? analyses.final_share() : 1,
             &comparison);
  if (comparison.gate.has_value() && until_decided) {
    comparison.gate->analyses = analyses.analyses();
    comparison.gate->time_spent = analyses.time_spent();
  }
  return comparison;
}

void JudgeGates(const ComparisonOptions& options, double ns_per_tick, double share,
                Comparison* comparison) {
  const Estimate* const estimate = comparison->estimate();
  if (estimate == nullptr) return;
  if (options.gate.has_value()) {
    comparison->gate = JudgeGate(*options.gate, *estimate);
  }
  for (const CounterGateSpec& spec : options.counter_gates) {
    comparison->counter_gates.push_back(
        JudgeCounterGate(spec, comparison->results, options.events, options.level, share));
  }
  if (options.quantile_gates.empty()) return;
  const SelectedPairs selected = SelectPairs(comparison->results, options, ns_per_tick);
  for (const QuantileGateSpec& spec : options.quantile_gates) {
    comparison->quantile_gates.push_back(
        JudgeQuantileGate(spec, selected, *estimate, options.level, share));
  }
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
