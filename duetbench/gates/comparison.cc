#include "duetbench/gates/comparison.h"

#include <string>
#include <utility>

#include "duetbench/gates/interim_analyses.h"

namespace duetbench {

Comparison RunComparison(const ComparisonOptions& options, const Machine& machine,
                         const RunLauncher& launch, const Progress& progress) {
  if (!options.gate.has_value()) return {RunExperiment(options, machine, launch, progress), {}, {}};
  InterimAnalyses analyses(*options.gate, options, machine.ns_per_tick);
  Comparison comparison{RunExperiment(options, machine, launch, progress, &analyses), {}, {}};
  const Estimate* const estimate = comparison.estimate();
  if (estimate == nullptr) return comparison;
  if (options.runs == 0) {
    comparison.gate =
        JudgeGate(*options.gate, *estimate, analyses.analyses(), analyses.final_share());
    comparison.gate->time_spent = analyses.time_spent();
  } else {
    comparison.gate = JudgeGate(*options.gate, *estimate);
  }
  return comparison;
}

Comparison FailedComparison(std::string cause) {
  Comparison comparison;
  Failure failure;
  failure.error.cause = std::move(cause);
  comparison.outcome = std::move(failure);
  return comparison;
}

}  // namespace duetbench
