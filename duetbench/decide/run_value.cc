#include "duetbench/decide/run_value.h"

#include <algorithm>
#include <cmath>

#include "duetbench/decide/core_state.h"
#include "duetbench/decide/decision_policy.h"
#include "duetbench/decide/robust_mean.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

double WithinRunVariance(const RunPairs& run) {
  if (run.size() < kDecision.min_pairs_of_variance) return std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> influence = InfluenceValues(run);
  const std::vector<double> batches =
      BatchMeans(influence, std::min(kDecision.batches_of_run, run.size() / 2));
  return Variance(batches) / static_cast<double>(batches.size());
}

}  // namespace

absl::StatusOr<RunValue> ReduceRun(const RunPairs& run, const RunPairs& total_run) {
  const absl::StatusOr<double> log_ratio = RunLogRatio(run);
  if (!log_ratio.ok()) return log_ratio.status();
  RunValue value;
  value.log_ratio = *log_ratio;
  value.variance = WithinRunVariance(run);
  for (int v = 0; v < 2; ++v) value.log_probe[v] = LogProbe(run, v);
  value.pairs = run.size();
  value.has_totals = CheckPairs(total_run).ok();
  if (value.has_totals) value.totals = TotalsOf(total_run);
  return value;
}

std::optional<double> PartWithinRuns(absl::Span<const RunValue> runs) {
  if (runs.size() < 2) return std::nullopt;
  std::vector<double> log_ratios;
  double within = 0;
  for (const RunValue& run : runs) {
    within += run.variance / static_cast<double>(runs.size());
    log_ratios.push_back(run.log_ratio);
  }
  const double between = Variance(log_ratios);
  if (!std::isfinite(within) || !(between > 0)) return std::nullopt;
  return std::min(1.0, within / between);
}

}  // namespace duetbench::stats
