#include "tools/duet_stat/planning.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/status/statusor.h"
#include "duetbench/decision/planning.h"
#include "duetbench/stats/robust.h"
#include "tools/stats/planning.h"

namespace duetbench::duet_stat {
namespace {

constexpr double kPower = 0.95;

void AddComponents(absl::Span<const stats::RunPairs> runs, Planning* planning) {
  const bool has_noise = std::any_of(runs.begin(), runs.end(),
                                     [](const stats::RunPairs& run) { return run.size() >= 2; });
  if (runs.size() < 2 || !has_noise) return;
  std::vector<std::vector<double>> log_ratios;
  log_ratios.reserve(runs.size());
  for (const stats::RunPairs& run : runs) log_ratios.push_back(stats::LogRatios(run));
  const stats::VarianceComponents components = stats::RunVarianceComponents(log_ratios);
  planning->s1_2 = components.s1_2;
  planning->t2_2 = components.t2_2;
  // Costs that are no costs, as times of 1e-300 ns give them, have no best number.
  const double relative_cost = planning->run_cost_s / planning->pair_cost_s;
  if (!(relative_cost > 0) || !std::isfinite(relative_cost)) return;
  planning->best_pairs =
      stats::BestPairsPerRun(components, planning->run_cost_s, planning->pair_cost_s);
}

}  // namespace

Planning Plan(absl::Span<const stats::RunPairs> runs, double pair_seconds,
              const std::vector<double>& run_log_ratios, const Options& options) {
  Planning planning;
  planning.run_cost_s = options.run_cost;
  planning.pair_cost_s = pair_seconds;
  AddComponents(runs, &planning);
  if (runs.size() < 2) return planning;

  const stats::Detection detection{1 - options.levels[0], kPower};
  if (detection.alpha >= 1) return planning;  // a level below the resolution of 1
  const auto count_of_runs = static_cast<int>(runs.size());
  const double spread = stats::StandardDeviation(run_log_ratios);
  planning.mds = stats::MinimalDetectableSlowdown(spread, count_of_runs, detection);
  planning.mds_upper = stats::MinimalDetectableSlowdown(stats::UpperSpread(spread, count_of_runs),
                                                        count_of_runs, detection);
  if (!options.mds) return planning;
  stats::ResampledMdsOptions resampling;
  resampling.alpha = detection.alpha;
  const absl::StatusOr<stats::ResampledMds> resampled =
      stats::ResampleMds(run_log_ratios, resampling, options.resampling.seed);
  if (resampled.ok()) planning.resampled = *resampled;
  return planning;
}

}  // namespace duetbench::duet_stat
