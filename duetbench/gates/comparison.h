#ifndef DUETBENCH_GATES_COMPARISON_H_
#define DUETBENCH_GATES_COMPARISON_H_

#include <optional>
#include <string>

#include "duetbench/experiment/experiment.h"
#include "duetbench/gates/comparison_options.h"
#include "duetbench/gates/gate.h"
#include "duetbench/stats/ratio_format.h"

namespace duetbench {

// What a duet benchmark found out: the result of its experiment and, if it has a gate and there is
// an estimate, the result of the gate.
struct Comparison : ExperimentResult {
  std::optional<GateResult> gate;
  VariantNames names;  // of the functions, for sentences
};

// Runs the experiment, with interim analyses if there is a gate, and judges the gate.
Comparison RunComparison(const ComparisonOptions& options, const Machine& machine,
                         const RunLauncher& launch, const Progress& progress);

// A comparison that failed before there was a run.
Comparison FailedComparison(std::string cause);

}  // namespace duetbench

#endif  // DUETBENCH_GATES_COMPARISON_H_
