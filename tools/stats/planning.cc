#include "tools/stats/planning.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <limits>

#include "duetbench/stats/hypothesis_tests.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/random.h"
#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

constexpr double kPaperShare = 0.05;  // of false alarms

}  // namespace

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

absl::StatusOr<ResampledMds> ResampleMds(absl::Span<const double> run_log_ratios,
                                         const ResampledMdsOptions& options, std::uint64_t seed) {
  if (absl::Status status = CheckRunValues(run_log_ratios, 3); !status.ok()) return status;
  const std::size_t n = run_log_ratios.size();
  const double mean = Mean(run_log_ratios);
  const double quantile = boost::math::quantile(boost::math::complement(
      boost::math::students_t(static_cast<double>(n) - 1), options.alpha / 2));
  const double factor = quantile / std::sqrt(static_cast<double>(n));
  Random random(seed);
  constexpr double kNotFound = std::numeric_limits<double>::infinity();
  ResampledMds result{kNotFound, kNotFound, 0, std::vector<int>(options.slowdowns.size(), 0)};
  std::vector<double> drawn(n);
  for (int resampling = 0; resampling < options.resamplings; ++resampling) {
    for (double& value : drawn) value = run_log_ratios[random.Below(n)] - mean;
    const double center = Mean(drawn);
    const double half_width = factor * StandardDeviation(drawn);
    if (std::fabs(center) > half_width) ++result.false_alarms;
    for (std::size_t k = 0; k < options.slowdowns.size(); ++k) {
      if (center + std::log1p(options.slowdowns[k]) > half_width) ++result.detections[k];
    }
  }
  double smallest = kNotFound;
  for (std::size_t k = 0; k < options.slowdowns.size(); ++k) {
    if (result.detections[k] >= options.detections_needed) {
      smallest = std::min(smallest, options.slowdowns[k]);
    }
  }
  if (result.false_alarms <= FalseAlarmLimit(options.resamplings, 1 - options.alpha)) {
    result.slowdown = smallest;
  }
  if (result.false_alarms <= kPaperShare * options.resamplings) result.paper_slowdown = smallest;
  return result;
}

}  // namespace duetbench::stats
