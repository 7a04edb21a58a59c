// Coverage of the interval of a quantile of calls, by simulation with fixed seeds. Prints the
// figures.

#include "duetbench/stats/quantile_ratio.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "duetbench/stats/random.h"
#include "gtest/gtest.h"
#include "tests/statistical/interval_tally.h"
#include "tests/statistical/normal.h"

namespace duetbench::stats {
namespace {

constexpr double kAlpha = 0.1;
constexpr int kExperiments = 300;
constexpr double kRunEffect = 0.01;  // standard deviation of the ratio of a run
constexpr double kSlowFactor = 10;

// Lognormal calls, of which a part is slow.
struct CallWorld {
  const char* name;
  int runs = 20;
  double run_time = 400;  // ends with the calls that exceed it; a fast call takes 1
  double new_factor = 1;
  double spread = 0.2;            // of the logarithms
  double common = 0;              // AR(1) 0.95 interference on both
  double slow_share[2] = {0, 0};  // of the calls of old and new; they take ten times as long
  double slow_calls = 1;          // that follow each other, on average
};

std::vector<RunPairs> CallsOf(const CallWorld& world, Random& random) {
  Normal normal(random);
  std::vector<RunPairs> runs(static_cast<size_t>(world.runs));
  for (RunPairs& run : runs) {
    const double effect = kRunEffect * normal.Next();
    double interference = world.common * normal.Next();
    bool slow[2];
    for (int v = 0; v < 2; ++v) slow[v] = random.Uniform() < world.slow_share[v];
    for (double left = world.run_time; left > 0;) {
      double times[2];
      for (int v = 0; v < 2; ++v) {
        // A chain with the given share of slow calls and length of their sequences.
        const double leave = slow[v] ? 1 / world.slow_calls * (1 - world.slow_share[v])
                                     : world.slow_share[v] / world.slow_calls;
        if (random.Uniform() < leave) slow[v] = !slow[v];
        times[v] =
            std::exp(world.spread * normal.Next() + interference) * (slow[v] ? kSlowFactor : 1);
      }
      times[1] *= world.new_factor * std::exp(effect);
      run.push_back({times[0], times[1], 0});
      left -= (times[0] + times[1]) / 2;
      interference =
          0.95 * interference + std::sqrt(1 - 0.95 * 0.95) * world.common * normal.Next();
    }
  }
  return runs;
}

// The quantile of one variant, by bisection of its distribution.
double TrueQuantile(const CallWorld& world, int variant, double quantile) {
  const boost::math::normal_distribution<> normal(
      0, std::sqrt(world.spread * world.spread + world.common * world.common));
  const double share = world.slow_share[variant];
  double lo = -20;
  double hi = 20;
  while (hi - lo > 1e-12) {
    const double middle = (lo + hi) / 2;
    const double below =
        (1 - share) * cdf(normal, middle) + share * cdf(normal, middle - std::log(kSlowFactor));
    (below < quantile ? lo : hi) = middle;
  }
  return std::exp(lo) * (variant == 1 ? world.new_factor : 1);
}

void ExpectCovered(const CallWorld& world, double quantile, double least_with_interval) {
  Random random(11);
  const double truth = TrueQuantile(world, 1, quantile) / TrueQuantile(world, 0, quantile);
  int with_interval = 0;
  int covered = 0;
  double width = 0;
  for (int i = 0; i < kExperiments; ++i) {
    const QuantileRatio ratio =
        ComputeQuantileRatio(CallsOf(world, random), quantile, kAlpha, 1 - kAlpha);
    if (!ratio.interval.has_value()) continue;
    ++with_interval;
    if (ratio.interval->lo <= truth && truth <= ratio.interval->hi) ++covered;
    width += std::log(ratio.interval->hi / ratio.interval->lo);
  }
  std::printf("%-34s p%-5g truth %7.4f: %3d of %3d intervals contain it, mean width %.4f\n",
              world.name, 100 * quantile, truth, covered, with_interval,
              width / std::max(1, with_interval));
  EXPECT_GE(with_interval, least_with_interval * kExperiments) << world.name;
  EXPECT_LE(with_interval - covered, MostOf(with_interval, kAlpha))
      << world.name << " p" << 100 * quantile;
}

TEST(QuantileRatioCoverage, IsThatOfTheLevel) {
  const struct {
    CallWorld world;
    std::vector<double> quantiles;
    double with_interval = 0.9;
  } kWorlds[] = {
      {{"independent", 20, 400, 1.1}, {0.5, 0.9, 0.99}},
      {{"40 runs of 30", 40, 30}, {0.5, 0.9}},
      {{"interference on both", 20, 2000, 1, 0.2, 0.3}, {0.5, 0.9}},
      // The quantile lies at either end of the gap between fast and slow calls.
      {{"9.5 % slow calls of new", 20, 400, 1, 0.05, 0, {0, 0.095}}, {0.9}},
      {{"10.5 % slow calls of new", 20, 400, 1, 0.05, 0, {0, 0.105}}, {0.9}},
      {{"9.5 % of old, 10.5 % of new", 20, 400, 1, 0.05, 0, {0.095, 0.105}}, {0.9}},
      {{"3 % slow calls, 40 together", 20, 3000, 1, 0.05, 0, {0, 0.03}, 40}, {0.99}, 0.2},
      {{"the same of both", 20, 3000, 1, 0.05, 0, {0.03, 0.03}, 40}, {0.99}, 0.2},
  };
  for (const auto& [world, quantiles, with_interval] : kWorlds) {
    for (const double quantile : quantiles) ExpectCovered(world, quantile, with_interval);
  }
}

}  // namespace
}  // namespace duetbench::stats
