#ifndef DUETBENCH_GATES_COMPARISON_OPTIONS_H_
#define DUETBENCH_GATES_COMPARISON_OPTIONS_H_

#include <optional>

#include "duetbench/experiment/options.h"
#include "duetbench/gates/gate_spec.h"

namespace duetbench {

// How one duet benchmark is measured. With a gate and runs = 0 it is measured until the gate is
// decided.
struct ComparisonOptions : ExperimentOptions {
  std::optional<GateSpec> gate;
};

}  // namespace duetbench

#endif  // DUETBENCH_GATES_COMPARISON_OPTIONS_H_
