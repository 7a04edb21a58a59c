#ifndef DUETBENCH_GATES_QUANTILE_GATE_SPEC_H_
#define DUETBENCH_GATES_QUANTILE_GATE_SPEC_H_

#include "duetbench/gates/gate_spec.h"

// Users' headers include this one.
namespace duetbench {

// A requirement on a quantile of the times of single calls: that of new is at most `max_ratio`
// times that of old.
struct QuantileGateSpec {
  double quantile = 0.99;  // in (0, 1)
  double max_ratio = 1;    // positive and finite

  static bool IsQuantile(double quantile) { return quantile > 0 && quantile < 1; }
  bool IsValid() const {
    return IsQuantile(quantile) && GateSpec::IsValid(GateSpec::Kind::kMaxRatio, max_ratio);
  }
};

inline bool operator==(const QuantileGateSpec& a, const QuantileGateSpec& b) {
  return a.quantile == b.quantile && a.max_ratio == b.max_ratio;
}

}  // namespace duetbench

#endif  // DUETBENCH_GATES_QUANTILE_GATE_SPEC_H_
