#include "duetbench/stats/planning.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "duetbench/stats/interval.h"
#include "duetbench/stats/random.h"
#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void RequireDetection(const Detection& detection) {
  Require(
      detection.alpha > 0 && detection.alpha < 1 && detection.power > 0.5 && detection.power < 1,
      "Detection: alpha must be in (0, 1) and power in (0.5, 1)");
}

double TwoSidedT(double alpha, double degrees_of_freedom) {
  return boost::math::quantile(
      boost::math::complement(boost::math::students_t(degrees_of_freedom), alpha / 2));
}

// The zero of an increasing function, to the precision of double. `low` lies below it.
template <typename Function>
double Bisect(double low, Function function) {
  double high = 2 * low;
  while (function(high) < 0) {
    low = high;
    high *= 2;
  }
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    (function(middle) < 0 ? low : high) = middle;
  }
}

// Spread of the run means with that many iterations each.
double RunSpread(const VarianceComponents& components, double iterations) {
  return std::sqrt(std::max(0.0, components.t2[1]) + components.t2[0] / iterations);
}

}  // namespace

double EffectSize(int runs, const Detection& detection) {
  Require(runs >= 2, "EffectSize: needs at least two runs");
  RequireDetection(detection);
  const double nu = runs - 1;
  return (TwoSidedT(detection.alpha, nu) +
          boost::math::quantile(boost::math::students_t(nu), detection.power)) /
         std::sqrt(static_cast<double>(runs));
}

double TTestPower(double runs, double d, double alpha) {
  Require(runs > 1 && d >= 0, "TTestPower: needs more than one run and an effect >= 0");
  const double nu = runs - 1;
  const double critical = TwoSidedT(alpha, nu);
  const double shift = d * std::sqrt(runs);
  // So far out the numerator of t is as good as constant, and Boost would overflow.
  if (shift > 1e4) {
    const double ratio = shift / critical;
    return boost::math::cdf(boost::math::chi_squared(nu), nu * ratio * ratio);
  }
  return boost::math::cdf(boost::math::complement(boost::math::non_central_t(nu, shift), critical));
}

double ExactEffectSize(double runs, const Detection& detection) {
  Require(runs >= 2, "ExactEffectSize: needs at least two runs");
  RequireDetection(detection);
  return Bisect(1e-6,
                [&](double d) { return TTestPower(runs, d, detection.alpha) - detection.power; });
}

double MinimalDetectableSlowdown(double spread, int runs, const Detection& detection) {
  Require(spread >= 0, "MinimalDetectableSlowdown: the spread is negative");
  return std::expm1(EffectSize(runs, detection) * spread);
}

double UpperSpread(double spread, int runs, double confidence) {
  Require(runs >= 2, "UpperSpread: needs at least two runs");
  const double nu = runs - 1;
  const double quantile = boost::math::quantile(boost::math::chi_squared(nu), 1 - confidence);
  return spread * std::sqrt(nu / quantile);
}

int RunsNeeded(double spread, double slowdown, const Detection& detection, int limit) {
  Require(spread >= 0 && slowdown > 0 && limit >= 2,
          "RunsNeeded: needs spread >= 0, slowdown > 0 and limit >= 2");
  const auto enough = [&](int runs) {
    return EffectSize(runs, detection) * spread <= std::log1p(slowdown);
  };
  if (enough(2)) return 2;
  if (!enough(limit)) return limit + 1;
  int too_few = 2;
  int sufficient = limit;
  while (sufficient - too_few > 1) {
    const int middle = too_few + (sufficient - too_few) / 2;
    (enough(middle) ? sufficient : too_few) = middle;
  }
  return sufficient;
}

double ExactRunsNeeded(double d, const Detection& detection) {
  Require(d > 0, "ExactRunsNeeded: the effect must be positive");
  RequireDetection(detection);
  // In terms of the degrees of freedom, which go to 0; below 0.1 quantiles of t overflow.
  return 1 + Bisect(0.1, [&](double nu) {
           return TTestPower(1 + nu, d, detection.alpha) - detection.power;
         });
}

Plan CheapestPlan(const VarianceComponents& components, const Costs& costs, double slowdown,
                  const Detection& detection, int least_runs) {
  Require(components.t2.size() == 2, "CheapestPlan: needs two levels");
  Require(costs.iteration > 0 && costs.run >= 0 && slowdown > 0 && least_runs >= 2,
          "CheapestPlan: needs positive costs and slow-down, and two runs");
  constexpr double kMostIterations = 1e9;
  const double between = std::max(0.0, components.t2[1]);
  double iterations = std::clamp(std::ceil(BestIterations(components, costs.run, costs.iteration)),
                                 2.0, kMostIterations);
  int runs = RunsNeeded(RunSpread(components, iterations), slowdown, detection);
  if (runs <= least_runs) {
    runs = least_runs;
    const double allowed = std::log1p(slowdown) / EffectSize(runs, detection);
    const double left_for_iterations = allowed * allowed - between;
    if (left_for_iterations > 0) {
      iterations = std::min(
          iterations,
          std::clamp(std::ceil(components.t2[0] / left_for_iterations), 2.0, kMostIterations));
    }
  }
  return {runs, static_cast<int>(iterations), runs * (costs.run + iterations * costs.iteration)};
}

absl::StatusOr<ResampledMds> ResampleMds(absl::Span<const double> run_log_ratios,
                                         const ResampledMdsOptions& options, std::uint64_t seed) {
  if (absl::Status status = CheckRunValues(run_log_ratios, 3); !status.ok()) return status;
  const std::size_t n = run_log_ratios.size();
  const double mean = Mean(run_log_ratios);
  const double factor =
      TwoSidedT(options.alpha, static_cast<double>(n) - 1) / std::sqrt(static_cast<double>(n));
  Random random(seed);
  ResampledMds result{kInfinity, 0, std::vector<int>(options.slowdowns.size(), 0)};
  std::vector<double> drawn(n);
  for (int resampling = 0; resampling < options.resamplings; ++resampling) {
    for (double& value : drawn) value = run_log_ratios[random.Below(n)] - mean;
    const double centre = Mean(drawn);
    const double half_width = factor * StandardDeviation(drawn);
    if (std::fabs(centre) > half_width) ++result.false_alarms;
    for (std::size_t k = 0; k < options.slowdowns.size(); ++k) {
      if (centre + std::log1p(options.slowdowns[k]) > half_width) ++result.detections[k];
    }
  }
  if (result.false_alarms > options.false_alarms_allowed) return result;
  for (std::size_t k = 0; k < options.slowdowns.size(); ++k) {
    if (result.detections[k] >= options.detections_needed) {
      result.slowdown = std::min(result.slowdown, options.slowdowns[k]);
    }
  }
  return result;
}

}  // namespace duetbench::stats
