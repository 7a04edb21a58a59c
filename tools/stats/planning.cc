#include "tools/stats/planning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/decide/interval.h"
#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

void RequireDetection(const Detection& detection) {
  Require(
      detection.alpha > 0 && detection.alpha < 1 && detection.power > 0.5 && detection.power < 1,
      "Detection: alpha must be in (0, 1) and power in (0.5, 1)");
}

}  // namespace

double EffectSize(int runs, const Detection& detection) {
  Require(runs >= 2, "EffectSize: needs at least two runs");
  RequireDetection(detection);
  const double nu = runs - 1;
  return (TwoSidedT(detection.alpha, nu) + StudentsTQuantile(nu, 1 - detection.power)) /
         std::sqrt(static_cast<double>(runs));
}

double MinimalDetectableSlowdown(double spread, int runs, const Detection& detection) {
  Require(spread >= 0, "MinimalDetectableSlowdown: the spread is negative");
  return std::expm1(EffectSize(runs, detection) * spread);
}

double UpperSpread(double spread, int runs) {
  Require(runs >= 2, "UpperSpread: needs at least two runs");
  const double nu = runs - 1;
  return spread * std::sqrt(nu / ChiSquaredQuantile(nu, 0.1));
}

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

Planning Plan(absl::Span<const RunPairs> runs, absl::Span<const double> run_log_ratios,
              double level, Planning costs) {
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
  return planning;
}

}  // namespace duetbench::stats
