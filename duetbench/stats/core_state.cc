#include "duetbench/stats/core_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/status/statusor.h"
#include "duetbench/stats/decision_policy.h"
#include "duetbench/stats/interval.h"

namespace duetbench::stats {

double LogProbeRatio(const RunPairs& run, Estimator estimator) {
  RunPairs probes = run;
  for (Pair& pair : probes) {
    pair.old_time = 1;
    pair.new_time = pair.probe_ratio;
  }
  const absl::StatusOr<double> log_ratio = RunLogRatio(probes, estimator);
  return log_ratio.ok() ? *log_ratio : std::numeric_limits<double>::quiet_NaN();
}

std::optional<CoreState> RemoveCoreState(std::vector<RunValue>* runs) {
  if (runs->size() < kDecision.min_runs_of_core_state) return std::nullopt;
  const auto n = static_cast<double>(runs->size());
  double probe_mean = 0;
  double ratio_mean = 0;
  for (const RunValue& run : *runs) {
    probe_mean += run.log_probe_ratio / n;
    ratio_mean += run.log_ratio / n;
  }
  double probes = 0;  // sums of squares, and of products
  double ratios = 0;
  double products = 0;
  for (const RunValue& run : *runs) {
    const double probe = run.log_probe_ratio - probe_mean;
    const double ratio = run.log_ratio - ratio_mean;
    probes += probe * probe;
    ratios += ratio * ratio;
    products += probe * ratio;
  }
  if (!(probes > 0) || !(products > 0)) return std::nullopt;
  CoreState state;
  state.slope = products / probes;
  state.explained = state.slope * products / ratios;
  const double at_equal_speed = 1 + n * probe_mean * probe_mean / probes;
  state.error_factor = std::sqrt((n - 1) / (n - 2) * at_equal_speed);
  const double residual = std::max(0.0, ratios - state.slope * products);
  const double error_of_slope = std::sqrt(residual / (n - 2) / probes);
  if (!(state.slope > TwoSidedT(kDecision.core_state_alpha, n - 2) * error_of_slope)) {
    return std::nullopt;
  }
  for (RunValue& run : *runs) run.log_ratio -= state.slope * run.log_probe_ratio;
  return state;
}

}  // namespace duetbench::stats
