#include "tools/stats/planning.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "duetbench/decide/planning.h"
#include "duetbench/stats/hypothesis_tests.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/random.h"
#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"
#include "tools/stats/rules/sampling_grid.h"

namespace duetbench::stats {
VarianceComponents RunVarianceComponents(absl::Span<const std::vector<double>> runs) {
  Require(runs.size() >= 2, "RunVarianceComponents: fewer than two runs");
  std::vector<double> means;
  double squares = 0;
  double degrees_of_freedom = 0;
  double reciprocals = 0;
  for (const std::vector<double>& run : runs) {
    Require(!run.empty(), "RunVarianceComponents: an empty run");
    const auto n = static_cast<double>(run.size());
    means.push_back(Mean(run));
    if (run.size() >= 2) squares += (n - 1) * Variance(run);
    degrees_of_freedom += n - 1;
    reciprocals += 1 / n;
  }
  Require(degrees_of_freedom > 0, "RunVarianceComponents: every run has a single value");
  const double s1 = squares / degrees_of_freedom;
  const double s2 = Variance(means);
  return {s1, s2, s2 - s1 * reciprocals / static_cast<double>(runs.size())};
}

double BestPairsPerRun(const VarianceComponents& components, double run_cost, double pair_cost) {
  Require(pair_cost > 0 && run_cost >= 0, "BestPairsPerRun: a cost is not positive");
  if (components.s1_2 <= 0) return 0;
  if (components.t2_2 <= 0) return std::numeric_limits<double>::infinity();
  return std::sqrt(run_cost / pair_cost * components.s1_2 / components.t2_2);
}

absl::StatusOr<ResampledMds> ResampleMds(absl::Span<const double> run_log_ratios, double alpha,
                                         std::uint64_t seed) {
  if (absl::Status status = CheckRunValues(run_log_ratios, 3); !status.ok()) return status;
  constexpr int kResamplings = 100;
  constexpr int kDetectionsNeeded = 95;
  constexpr int kPaperFalseAlarms = 5;
  const std::vector<double>& slowdowns = PaperSlowdowns();
  const std::size_t n = run_log_ratios.size();
  const double mean = Mean(run_log_ratios);
  const double factor =
      TwoSidedT(alpha, static_cast<double>(n) - 1) / std::sqrt(static_cast<double>(n));
  Random random(seed);
  constexpr double kNotFound = std::numeric_limits<double>::infinity();
  ResampledMds result{kNotFound, kNotFound, 0};
  std::vector<int> detections(slowdowns.size(), 0);
  std::vector<double> drawn(n);
  for (int resampling = 0; resampling < kResamplings; ++resampling) {
    for (double& value : drawn) value = run_log_ratios[random.Below(n)] - mean;
    const double center = Mean(drawn);
    const double half_width = factor * StandardDeviation(drawn);
    if (std::fabs(center) > half_width) ++result.false_alarms;
    for (std::size_t k = 0; k < slowdowns.size(); ++k) {
      if (center + std::log1p(slowdowns[k]) > half_width) ++detections[k];
    }
  }
  const auto found = std::find_if(detections.begin(), detections.end(),
                                  [](int count) { return count >= kDetectionsNeeded; });
  if (found == detections.end()) return result;
  const double smallest = slowdowns[static_cast<std::size_t>(found - detections.begin())];
  if (result.false_alarms <= FalseAlarmLimit(kResamplings, 1 - alpha)) result.slowdown = smallest;
  if (result.false_alarms <= kPaperFalseAlarms) result.paper_slowdown = smallest;
  return result;
}

Planning Plan(absl::Span<const RunPairs> runs, absl::Span<const double> run_log_ratios,
              double level, Planning costs, std::optional<std::uint64_t> seed) {
  Planning planning = std::move(costs);
  if (runs.size() < 2) return planning;
  std::vector<std::vector<double>> of_pairs;
  for (const RunPairs& run : runs) of_pairs.push_back(LogRatios(run));
  if (std::any_of(runs.begin(), runs.end(), [](const RunPairs& run) { return run.size() >= 2; })) {
    const VarianceComponents components = RunVarianceComponents(of_pairs);
    planning.s1_2 = components.s1_2;
    planning.t2_2 = components.t2_2;
    // Costs that are no costs, as times of 1e-300 ns give them, have no best number.
    const double relative_cost = planning.run_cost_s / planning.pair_cost_s;
    if (relative_cost > 0 && std::isfinite(relative_cost)) {
      planning.best_pairs = BestPairsPerRun(components, planning.run_cost_s, planning.pair_cost_s);
    }
  }
  const Detection detection{1 - level, 0.95};
  if (detection.alpha >= 1) return planning;  // a level below the resolution of 1
  const auto count = static_cast<int>(runs.size());
  const double spread = StandardDeviation(run_log_ratios);
  planning.mds = MinimalDetectableSlowdown(spread, count, detection);
  planning.mds_upper = MinimalDetectableSlowdown(UpperSpread(spread, count), count, detection);
  if (!seed.has_value()) return planning;
  const absl::StatusOr<ResampledMds> resampled =
      ResampleMds(run_log_ratios, detection.alpha, *seed);
  if (resampled.ok()) planning.resampled = *resampled;
  return planning;
}

}  // namespace duetbench::stats
