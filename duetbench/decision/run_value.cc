#include "duetbench/decision/run_value.h"

#include "duetbench/decision/core_state.h"
#include "duetbench/decision/run_weights.h"

namespace duetbench::stats {

absl::StatusOr<RunValue> ReduceRun(const RunPairs& run, const RunPairs& total_run,
                                   Estimator estimator) {
  const absl::StatusOr<double> log_ratio = RunLogRatio(run, estimator);
  if (!log_ratio.ok()) return log_ratio.status();
  RunValue value;
  value.log_ratio = *log_ratio;
  value.variance = WithinRunVariance(run, estimator);
  for (int v = 0; v < 2; ++v) value.log_probe[v] = LogProbe(run, v);
  value.pairs = run.size();
  value.has_totals = CheckPairs(total_run).ok();
  if (value.has_totals) value.totals = TotalsOf(total_run);
  return value;
}

SingleRun ReduceSingleRun(const RunPairs& run, const RunPairs& total_run, Estimator estimator) {
  return {EstimateSeries(run, estimator),
          CheckPairs(total_run).ok() ? TotalsOfParts(total_run) : std::vector<RunTotals>()};
}

}  // namespace duetbench::stats
