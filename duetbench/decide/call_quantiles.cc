#include "duetbench/decide/call_quantiles.h"

#include <map>
#include <utility>

namespace duetbench {

bool HasSingleCalls(const SelectedPairs& selected) {
  return selected.sample_iterations[0] == 1 && selected.sample_iterations[1] == 1;
}

std::vector<stats::RunPairs> IndependentCalls(const SelectedPairs& selected) {
  std::map<int, stats::RunPairs> by_layout;
  for (size_t run = 0; run < selected.values.size(); ++run) {
    stats::RunPairs& pairs = by_layout[selected.values[run].layout];
    const stats::RunPairs& of_run = selected.total_runs[run];
    pairs.insert(pairs.end(), of_run.begin(), of_run.end());
  }
  if (by_layout.size() <= 1) return selected.total_runs;
  std::vector<stats::RunPairs> calls;
  for (auto& [layout, pairs] : by_layout) calls.push_back(std::move(pairs));
  return calls;
}

std::vector<stats::QuantileRatio> CallQuantiles(const SelectedPairs& selected,
                                                const ExperimentOptions& options, double share) {
  std::vector<stats::QuantileRatio> ratios;
  if (!HasSingleCalls(selected) || selected.is_biased) return ratios;
  const std::vector<stats::RunPairs> calls = IndependentCalls(selected);
  const double alpha = (1 - options.level) * share / static_cast<double>(options.quantiles.size());
  for (const double quantile : options.quantiles) {
    ratios.push_back(stats::ComputeQuantileRatio(calls, quantile, alpha, options.level));
  }
  return ratios;
}

}  // namespace duetbench
