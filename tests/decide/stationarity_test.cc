#include "duetbench/decide/stationarity.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "duetbench/decide/total_ratio.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/measure/pair_of.h"

namespace duetbench {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;

// Runs of 60 pairs. After the set-up new takes `excess` more than old, which decays
// by e in `decay` pairs. Pairs vary by 2 %, and one CPU is 10 % slower.
std::vector<RunResult> WarmingRuns(int count, double excess, double decay, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<RunResult> results;
  for (int run = 0; run < count; ++run) {
    RunResult& result = results.emplace_back();
    for (uint32_t i = 0; i < 60; ++i) {
      const double new_ticks = (i % 2 == 0 ? 1100 : 1000) *
                               (1 + excess * std::exp(-static_cast<double>(i) / decay)) *
                               std::exp(0.02 * normal(random));
      result.pairs.push_back(PairOf(i % 2 == 0 ? 1000 : 1100, new_ticks, i));
    }
  }
  return results;
}

TEST(FindPositionEffect, SeesTheHeadOfRuns) {
  const PositionEffect effect = FindPositionEffect(WarmingRuns(8, 0.2, 15, 1));
  EXPECT_NEAR(effect.log_ratio, 0.036, 0.005) << "0.087 in the first half, and 0.049 in all";
  EXPECT_TRUE(IsNotable(effect, 0.01));
  EXPECT_FALSE(IsNotable(effect, 0.1)) << "below half of the margin";
}

TEST(FindPositionEffect, OfRunsThatAreWarmIsNone) {
  int notable = 0;
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    notable += IsNotable(FindPositionEffect(WarmingRuns(8, 0, 1, seed)), 1e-6) ? 1 : 0;
  }
  EXPECT_LE(notable, 6) << "more than 6 of 1000 at 0.1 % have a probability below 0.0001";
}

// As a hypervisor or a limit of CPU time stops a process: single samples take 300 times as long.
TEST(FindPositionEffect, OfRunsThatAreStoppedNowAndThenIsNone) {
  std::vector<RunResult> results = WarmingRuns(8, 0, 1, 1);
  for (RunResult& result : results) {
    for (const int variant : {0, 1}) {
      result.pairs[(&result - results.data()) * 7 + 3 + variant].ticks[variant] *= 300;
    }
  }
  EXPECT_LT(FindPositionEffect(results).log_ratio, 0.01);
}

TEST(FindPositionEffect, OfDisturbedPairsOrFewRunsIsNotKnown) {
  EXPECT_EQ(FindPositionEffect(WarmingRuns(2, 0.2, 15, 1)).p, 1);
  std::vector<RunResult> results = WarmingRuns(8, 0.2, 15, 1);
  for (RunResult& result : results) {
    for (PairRecord& pair : result.pairs) pair.flags = kNewPreempted;
  }
  EXPECT_EQ(FindPositionEffect(results).log_ratio, 0);
}

// One run of `pairs` pairs with the ratio that `ratio_at` says, and noise of 1 %.
template <class RatioAt>
RunResult RunOf(size_t pairs, const RatioAt& ratio_at, uint32_t seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  RunResult run;
  for (size_t i = 0; i < pairs; ++i) {
    run.pairs.push_back(PairOf(1000, 1000 * ratio_at(i) * std::exp(0.01 * normal(random)), i));
  }
  return run;
}

// The effect that is farthest from 0.
double FarthestEffect(const RunResult& run, double share) {
  const HeadEffects effects = EffectsOfHead(run, share).value();
  return *std::max_element(effects.begin(), effects.end(),
                           [](double a, double b) { return std::abs(a) < std::abs(b); });
}

TEST(EffectsOfHead, AreThoseOfTheFirstPairsAgainstTheWhole) {
  const auto slow_later = [](size_t i) { return i < 300 ? 1.0 : 1.5; };
  EXPECT_NEAR(FarthestEffect(RunOf(1000, slow_later), 0.2), -std::log(1.35), 0.01);
  EXPECT_NEAR(FarthestEffect(RunOf(1000, [](size_t) { return 1.5; }), 0.2), 0, 0.005);
  const auto periodic = [](size_t i) { return i % 10 < 4 ? 1 : 1.5; };
  EXPECT_NEAR(FarthestEffect(RunOf(1000, periodic), 0.2), 0, 0.02) << "of many periods";
  EXPECT_GT(std::abs(FarthestEffect(RunOf(1000, periodic), 0.01)), 0.02)
      << "a whole period, and parts of it";
  EXPECT_FALSE(EffectsOfHead(RunOf(7, slow_later), 0.2).has_value());
}

// In blocks, somebody else has a part of the core while the first half of old's is measured.
TEST(EffectsOfHead, AreNotThoseOfANeighborOnTheCore) {
  RunResult run = RunOf(1000, [](size_t) { return 1.5; });
  for (size_t i = 0; i < 1000; ++i) {
    const bool shared = i < 500 && i % 50 < 40;
    run.pairs[i].probe_ticks[0] = shared ? 1900 : 1000;
    run.pairs[i].probe_ticks[1] = 1000;
    if (shared) run.pairs[i].ticks[0] *= 1.6;
  }
  EXPECT_NEAR(FarthestEffect(run, 0.2), 0, 0.005);
}

TEST(FindPositionEffect, ContainsTheDistanceToALongRun) {
  // Passes of `period` pairs, slow in the last 60 %: in a long run the ratio is 1.3.
  for (const size_t period : {20u, 100u, 333u, 500u, 800u, 1300u}) {
    const auto ratio_at = [period](size_t i) { return 10 * (i % period) < 4 * period ? 1 : 1.5; };
    const std::vector<RunResult> runs = {RunOf(1000, ratio_at, 1), RunOf(1000, ratio_at, 2)};
    const PositionEffect effect = FindPositionEffect(runs);
    double sums[2] = {0, 0};
    for (size_t i = 0; i < 1000; ++i) {
      const double weight = stats::Weight(effect.taper, i, 1000);
      for (int v = 0; v < 2; ++v) sums[v] += weight * runs[0].pairs[i].ticks[v];
    }
    const double distance = std::abs(std::log(sums[1] / sums[0] / 1.3));
    EXPECT_GE(effect.error + 0.01, distance) << period;
    EXPECT_LE(effect.error, period <= 20 ? 0.03 : period <= 500 ? 0.08 : 0.5) << period;
  }
}

// A run with one call of each variant. The first 100 iterations of new take ten times as long.
RunResult OneCall(uint64_t iterations) {
  const auto ticks = static_cast<double>(iterations);
  RunResult run = EqualPairs(ticks, ticks + 900, 1);
  run.batch = iterations;
  run.depends_on_position = true;
  for (uint64_t& of_variant : run.pairs[0].iterations) of_variant = iterations;
  return run;
}

TEST(FindPositionEffect, OfCallsIsThatOfShorterOnes) {
  EXPECT_EQ(FindPositionEffect({OneCall(1000), OneCall(1000)}).log_ratio, 0);
  const PositionEffect effect =
      FindPositionEffect({OneCall(1000), OneCall(1000), OneCall(500), OneCall(800)});
  EXPECT_NEAR(effect.log_ratio, std::log(2.8 / 1.9), 1e-9);
  EXPECT_GE(effect.error, std::log(1.9)) << "much longer ones take the same time";
  EXPECT_TRUE(IsNotable(effect, 0.01));
  RunResult execution = OneCall(500);
  execution.depends_on_position = false;
  EXPECT_EQ(FindPositionEffect({OneCall(1000), execution}).log_ratio, 0);
}

// Each process has other physical pages: its ratio differs from that of others by up to 30 %, and
// no more with another length of its call.
TEST(FindPositionEffect, OfCallsIsNoPartOfAnInputWithinNoise) {
  const auto results = [](const std::vector<double>& ratios) {
    constexpr uint64_t kLengths[] = {1000, 1000, 1000, 620, 830};
    std::vector<RunResult> runs;
    for (size_t run = 0; run < std::size(kLengths); ++run) {
      runs.push_back(OneCall(kLengths[run]));
      PairRecord& pair = runs.back().pairs[0];
      pair.ticks[1] = ratios[run] * pair.ticks[0];
    }
    return runs;
  };
  const PositionEffect noise = FindPositionEffect(results({2.17, 1.74, 2.01, 1.66, 2.20}));
  EXPECT_NEAR(noise.error, 2 * noise.log_ratio, 1e-9);
  EXPECT_GT(noise.log_ratio, 0.1);
  const PositionEffect part = FindPositionEffect(results({2.17, 2.16, 2.18, 1.66, 1.90}));
  EXPECT_TRUE(std::isinf(part.error));
}

TEST(EffectsOfShortCalls, AreThoseAgainstLongOnes) {
  EXPECT_THAT(EffectsOfShortCalls(OneCall(500), OneCall(1000)),
              Each(DoubleNear(std::log(2.8 / 1.9), 1e-9)));
  EXPECT_THAT(EffectsOfShortCalls(RunResult(), OneCall(1000)), Each(0));
  RunResult first = EqualPairs(6, 6, 1);  // one iteration of 6 ticks, later ones take 1
  first.pairs[0].iterations[0] = first.pairs[0].iterations[1] = 1;
  RunResult later = EqualPairs(1000, 1050, 1);
  later.pairs[0].iterations[0] = later.pairs[0].iterations[1] = 1000;
  EXPECT_THAT(EffectsOfShortCalls(first, later), Each(DoubleNear(std::log(6 / 1.05), 1e-9)));
}

TEST(SeesAPart, UnlessTheRatioReturnsToTheSideWhereItBegan) {
  EXPECT_TRUE(SeesAPart(0.1, {-0.1, -0.1, 0.01, 0.3}));
  EXPECT_FALSE(SeesAPart(0.1, {-0.1, 0.3, -0.1, NAN}));
  EXPECT_FALSE(SeesAPart(0.04, {-0.04, -0.04, 0.3})) << "a small effect";
}

TEST(PositionError, IsTwiceASmallDistance) {
  EXPECT_DOUBLE_EQ(PositionError(0.01, 0), 0.02);
  EXPECT_DOUBLE_EQ(PositionError(-0.01, 0.07), 0.02) << "many passes, each with a slow part";
}

TEST(PositionError, OfAPartOfAPassContainsTheOtherOne) {
  const double whole = 1.1;  // 80 % of the run before the slow part
  const double error = PositionError(std::log(1.1), std::log(1.5 / whole));
  EXPECT_GE(error, std::log(1.3 / whole));
  EXPECT_LE(error, std::log(1.5 / whole));
}

}  // namespace
}  // namespace duetbench
