#include "duetbench/experiment/call_quantiles.h"

namespace duetbench {

bool HasSingleCalls(const SelectedPairs& selected) {
  return selected.sample_iterations[0] == 1 && selected.sample_iterations[1] == 1;
}

std::vector<stats::QuantileRatio> CallQuantiles(const SelectedPairs& selected,
                                                const ExperimentOptions& options, double share) {
  std::vector<stats::QuantileRatio> ratios;
  if (!HasSingleCalls(selected) || selected.is_biased) return ratios;
  const double alpha = (1 - options.level) * share / static_cast<double>(options.quantiles.size());
  for (const double quantile : options.quantiles) {
    ratios.push_back(
        stats::ComputeQuantileRatio(selected.total_runs, quantile, alpha, options.level));
  }
  return ratios;
}

}  // namespace duetbench
