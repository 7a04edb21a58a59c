#ifndef DUETBENCH_GATES_COMPARISON_OPTIONS_H_
#define DUETBENCH_GATES_COMPARISON_OPTIONS_H_

#include <optional>
#include <vector>

#include "duetbench/gates/gate_spec.h"
#include "duetbench/plan/options.h"

namespace duetbench {

// The measuring of one duet benchmark. With runs = 0 it lasts until all its gates are decided.
struct ComparisonOptions : ExperimentOptions {
  std::optional<GateSpec> gate;
  std::vector<CounterGateSpec> counter_gates;    // one for a counter
  std::vector<QuantileGateSpec> quantile_gates;  // one for a quantile
  bool until_verdict = false;  // without gates, until the verdict is decided (runs = 0)

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
