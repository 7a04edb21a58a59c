#ifndef DUETBENCH_GATES_COMPARISON_OPTIONS_H_
#define DUETBENCH_GATES_COMPARISON_OPTIONS_H_

#include <optional>
#include <vector>

#include "duetbench/experiment/options.h"
#include "duetbench/gates/counter_gate_spec.h"
#include "duetbench/gates/gate_spec.h"
#include "duetbench/gates/quantile_gate_spec.h"

namespace duetbench {

// How one duet benchmark is measured. With gates and runs = 0 it is measured until all of them are
// decided.
struct ComparisonOptions : ExperimentOptions {
  std::optional<GateSpec> gate;
  std::vector<CounterGateSpec> counter_gates;
  std::vector<QuantileGateSpec> quantile_gates;

  bool has_gates() const {
    return gate.has_value() || !counter_gates.empty() || !quantile_gates.empty();
  }
  void DropGates() {
    gate.reset();
    counter_gates.clear();
    quantile_gates.clear();
  }
};

}  // namespace duetbench

#endif  // DUETBENCH_GATES_COMPARISON_OPTIONS_H_
