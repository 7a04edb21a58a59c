#ifndef DUETBENCH_GATES_QUANTILE_GATE_H_
#define DUETBENCH_GATES_QUANTILE_GATE_H_

#include "duetbench/experiment/select_pairs.h"
#include "duetbench/gates/gate.h"
#include "duetbench/gates/quantile_gate_spec.h"
#include "duetbench/stats/quantile_ratio.h"

// Gates on a quantile of the times of single calls. Pure functions.
namespace duetbench {

struct QuantileGateResult {
  QuantileGateSpec spec;
  GateOutcome outcome = GateOutcome::kInconclusive;
  bool has_single_calls = false;  // else nothing is known of the quantile
  // At the level of the analysis, of this quantile alone.
  stats::QuantileRatio ratio;
  double p = 1;  // as GateResult::p
};

// The decision about `spec` at `level`, with a share of 1 - level (stats/interim_analysis.h).
// Inconclusive with too few calls or runs, and where the ratio of times is withheld.
QuantileGateResult JudgeQuantileGate(const QuantileGateSpec& spec, const SelectedPairs& selected,
                                     double level, double share);

}  // namespace duetbench

#endif  // DUETBENCH_GATES_QUANTILE_GATE_H_
