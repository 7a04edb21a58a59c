// Coverage of the interval of a quantile of calls, by simulation with fixed seeds. Prints the
// figures.

#include "duetbench/stats/quantile_ratio.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "duetbench/stats/random.h"
#include "gtest/gtest.h"
#include "tests/statistical/noise_model.h"

namespace duetbench::stats {
namespace {

constexpr double kAlpha = 0.1;
constexpr int kExperiments = 300;

// So many misses or more have a chance below 1e-4 if each has one of kAlpha.
int Bound(int experiments) {
  const boost::math::binomial_distribution<> misses(experiments, kAlpha);
  return static_cast<int>(boost::math::quantile(boost::math::complement(misses, 1e-4)));
}

// Lognormal calls, of which a part is slow.
struct CallWorld {
  const char* name;
  int runs = 20;
  double run_time = 400;  // ends with the calls that exceed it; a fast call takes 1
  double new_factor = 1;
  double spread = 0.2;            // of the logarithms
  double common = 0;              // AR(1) 0.95 interference on both
  double run_effect = 0.01;       // of the ratio
  double slow_share[2] = {0, 0};  // of the calls of old and new
  double slow_factor = 10;
  double slow_calls = 1;  // slow calls that follow each other, on average
};

std::vector<RunPairs> CallsOf(const CallWorld& world, Random& random) {
  Normal normal(random);
  std::vector<RunPairs> runs(static_cast<size_t>(world.runs));
  for (RunPairs& run : runs) {
    const double effect = world.run_effect * normal.Next();
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
        times[v] = std::exp(world.spread * normal.Next() + interference) *
                   (slow[v] ? world.slow_factor : 1);
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
    const double below = (1 - share) * cdf(normal, middle) +
                         share * cdf(normal, middle - std::log(world.slow_factor));
    (below < quantile ? lo : hi) = middle;
  }
  return std::exp(lo) * (variant == 1 ? world.new_factor : 1);
}

void ExpectCovered(const CallWorld& world, double quantile, double least_with_interval = 0.9) {
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
  EXPECT_LE(with_interval - covered, Bound(with_interval)) << world.name << " p" << 100 * quantile;
}

TEST(QuantileRatioCoverage, IndependentCalls) {
  CallWorld world{"independent"};
  world.new_factor = 1.1;
  for (const double quantile : {0.5, 0.9, 0.99}) ExpectCovered(world, quantile);
}

TEST(QuantileRatioCoverage, FewCallsInARun) {
  CallWorld world{"40 runs of 30"};
  world.runs = 40;
  world.run_time = 30;
  for (const double quantile : {0.5, 0.9}) ExpectCovered(world, quantile);
}

TEST(QuantileRatioCoverage, InterferenceOnBoth) {
  CallWorld world{"interference"};
  world.common = 0.3;
  world.run_time = 2000;
  for (const double quantile : {0.5, 0.9}) ExpectCovered(world, quantile);
}

// The quantile lies at either end of the gap between fast and slow calls.
TEST(QuantileRatioCoverage, GapAtTheQuantile) {
  CallWorld world{"9.5 % slow calls of new"};
  world.spread = 0.05;
  world.slow_share[1] = 0.095;
  ExpectCovered(world, 0.9);
  world.name = "10.5 % slow calls of new";
  world.slow_share[1] = 0.105;
  ExpectCovered(world, 0.9);
  world.name = "9.5 % of old, 10.5 % of new";
  world.slow_share[0] = 0.095;
  ExpectCovered(world, 0.9);
}

TEST(QuantileRatioCoverage, SlowCallsTogether) {
  CallWorld world{"3 % slow calls, 40 together"};
  world.spread = 0.05;
  world.slow_share[1] = 0.03;
  world.slow_calls = 40;
  world.run_time = 3000;
  ExpectCovered(world, 0.99, 0.2);
  world.slow_share[0] = 0.03;
  world.name = "the same of both";
  ExpectCovered(world, 0.99, 0.2);
}

}  // namespace
}  // namespace duetbench::stats
