#include "duetbench/gates/quantile_gate.h"

#include <algorithm>
#include <cmath>

#include "duetbench/experiment/call_quantiles.h"

namespace duetbench {

QuantileGateResult JudgeQuantileGate(const QuantileGateSpec& spec, const SelectedPairs& selected,
                                     double level, double share) {
  QuantileGateResult gate;
  gate.spec = spec;
  gate.has_single_calls = HasSingleCalls(selected);
  gate.ratio.quantile = spec.quantile;
  if (!gate.has_single_calls) return gate;
  gate.ratio =
      stats::ComputeQuantileRatio(selected.total_runs, spec.quantile, (1 - level) * share, level);
  if (selected.is_withheld() || !gate.ratio.interval.has_value()) return gate;
  gate.outcome = Judge({GateSpec::Kind::kMaxRatio, spec.max_ratio}, *gate.ratio.interval);
  gate.p = std::min(
      1.0, stats::QuantilePValue(gate.ratio.group_log_ratios, std::log(spec.max_ratio)) / share);
  // Where they disagree, by rounding or a gap at the quantile, the interval counts.
  if (gate.outcome == GateOutcome::kFail) {
    gate.p = std::min(gate.p, 1 - level);
  } else if (gate.p <= 1 - level) {
    gate.p = 1;
  }
  return gate;
}

}  // namespace duetbench
