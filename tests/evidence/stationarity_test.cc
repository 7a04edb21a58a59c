#include "duetbench/evidence/stationarity.h"

#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "tests/sampling/pair_of.h"

namespace duetbench {
namespace {

// Runs of two rounds of 60 pairs. After each set-up new takes `excess` more than old, which decays
// by e in `decay` pairs. Pairs vary by 2 %, and one CPU is 10 % slower.
std::vector<RunResult> WarmingRuns(int count, double excess, double decay, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<RunResult> results;
  for (int run = 0; run < count; ++run) {
    RunResult& result = results.emplace_back();
    for (uint32_t i = 0; i < 120; ++i) {
      const double new_ticks = (i % 2 == 0 ? 1100 : 1000) *
                               (1 + excess * std::exp(-static_cast<double>(i % 60) / decay)) *
                               std::exp(0.02 * normal(random));
      result.pairs.push_back(PairOf(i % 2 == 0 ? 1000 : 1100, new_ticks, i));
      result.pairs.back().round = i / 60;
    }
  }
  return results;
}

TEST(RatioDrift, IsFoundInTheRoundsOfARun) {
  const std::optional<RatioDrift> drift = FindRatioDrift(WarmingRuns(8, 0.2, 15, 1));
  ASSERT_TRUE(drift.has_value());
  EXPECT_EQ(drift->runs, 8);
  EXPECT_LT(drift->log_ratio, -0.08);
  EXPECT_GT(drift->log_ratio, -0.2);
  EXPECT_TRUE(IsDrifting(*drift, 0.01));
}

TEST(SlowingDown, IsFoundInTheVariantThatDoes) {
  const std::vector<RunResult> results = WarmingRuns(8, -0.4, 15, 1);
  EXPECT_FALSE(FindSlowingDown(results, 0, 1).has_value());
  const std::optional<double> times = FindSlowingDown(results, 1, 1);
  ASSERT_TRUE(times.has_value());
  EXPECT_GT(*times, 1.1);
  EXPECT_LT(*times, 1.7);
  EXPECT_FALSE(FindSlowingDown(WarmingRuns(8, -0.05, 15, 1), 1, 1).has_value()) << "too little";
  EXPECT_FALSE(FindSlowingDown(WarmingRuns(8, 0.5, 15, 1), 1, 1).has_value()) << "that is warm-up";
}

TEST(SlowingDown, OfTimesThatStayIsNone) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    EXPECT_FALSE(FindSlowingDown(WarmingRuns(8, 0, 1, seed), 1, 1).has_value());
  }
}

// Runs with one round of `pairs` pairs, each of which takes `growth` times as long as the one
// before.
std::vector<RunResult> GrowingRuns(int count, uint32_t pairs, double growth, uint32_t flags) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<RunResult> results;
  for (int run = 0; run < count; ++run) {
    RunResult& result = results.emplace_back();
    for (uint32_t i = 0; i < pairs; ++i) {
      const double ticks = 1000 * std::pow(growth, i) * std::exp(0.02 * normal(random));
      result.pairs.push_back(PairOf(1000, ticks, i));
      result.pairs.back().flags = flags;
    }
  }
  return results;
}

TEST(SlowingDown, IsFoundInTwoPairsOfARound) {
  const std::optional<double> times = FindSlowingDown(GrowingRuns(8, 2, 1.5, 0), 1, 1);
  ASSERT_TRUE(times.has_value());
  EXPECT_NEAR(*times, 1.5, 0.1);
  EXPECT_FALSE(FindSlowingDown(GrowingRuns(8, 2, 1, 0), 1, 1).has_value());
}

TEST(SlowingDown, IsFoundInDisturbedPairs) {
  EXPECT_TRUE(FindSlowingDown(GrowingRuns(8, 12, 1.1, kNewPreempted), 1, 1).has_value());
}

TEST(SlowingDown, OfRoundsWithOnePairIsToldByTheFirstSample) {
  std::vector<RunResult> results = GrowingRuns(8, 1, 1, 0);
  EXPECT_FALSE(FindSlowingDown(results, 1, 1).has_value());
  const double usual_ns = 1000 / static_cast<double>(results[0].pairs[0].iterations[1]);
  for (RunResult& result : results) result.first_iteration[1] = {1, 1, 0, usual_ns / 3};
  const std::optional<double> times = FindSlowingDown(results, 1, 1);
  ASSERT_TRUE(times.has_value());
  EXPECT_NEAR(*times, 3, 0.2);
}

TEST(RatioDrift, OfRunsThatAreWarmIsNone) {
  int drifting = 0;
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    const std::optional<RatioDrift> drift = FindRatioDrift(WarmingRuns(8, 0, 1, seed));
    ASSERT_TRUE(drift.has_value());
    if (IsDrifting(*drift, 0.001)) ++drifting;
  }
  EXPECT_LE(drifting, 6) << "more than 6 of 1000 at 0.1 % have a probability below 0.0001";
}

TEST(RatioDrift, BelowHalfTheMarginDoesNotMatter) {
  const std::optional<RatioDrift> drift = FindRatioDrift(WarmingRuns(40, 0.01, 30, 1));
  ASSERT_TRUE(drift.has_value());
  EXPECT_LT(drift->p, 0.001);
  EXPECT_FALSE(IsDrifting(*drift, 0.02));
}

TEST(RatioDrift, OfDisturbedPairsOrFewRunsIsNotKnown) {
  EXPECT_FALSE(FindRatioDrift(WarmingRuns(2, 0.2, 15, 1)).has_value());
  std::vector<RunResult> results = WarmingRuns(8, 0.2, 15, 1);
  for (RunResult& result : results) {
    for (PairRecord& pair : result.pairs) pair.flags = kNewPreempted;
  }
  EXPECT_FALSE(FindRatioDrift(results).has_value());
}

TEST(LengthenWarmUp, TwiceInTheSameTime) {
  RunPlan plan;
  plan.rounds = 2;
  plan.budget_ns = 60e6;
  ASSERT_TRUE(LengthenWarmUp(&plan));
  EXPECT_NEAR(plan.warm_up_ns, 10e6, 1);
  EXPECT_NEAR(plan.budget_ns, 40e6, 1);
  ASSERT_TRUE(LengthenWarmUp(&plan));
  EXPECT_NEAR(plan.warm_up_ns, 20e6, 1);
  EXPECT_NEAR(plan.budget_ns, 20e6, 1);
  EXPECT_FALSE(LengthenWarmUp(&plan));
}

TEST(LengthenWarmUp, NotWherePairsAreCounted) {
  RunPlan plan;
  plan.budget_ns = 60e6;
  plan.max_pairs = 10;
  EXPECT_FALSE(LengthenWarmUp(&plan));
}

TEST(LeaveOutWarmUp, RemovesTheFirstPairsOfEachRound) {
  RunResult result = WarmingRuns(1, 0, 1, 1)[0];
  for (uint32_t i = 0; i < 120; ++i) result.pairs[i].pair_index = i;
  LeaveOutWarmUp(1.0 / 3, &result);
  ASSERT_EQ(result.pairs.size(), 80u);
  EXPECT_EQ(result.pairs.front().pair_index, 20u);
  EXPECT_EQ(result.pairs[39].pair_index, 59u);
  EXPECT_EQ(result.pairs[40].pair_index, 80u);
  EXPECT_EQ(result.pairs.back().pair_index, 119u);
}

TEST(LeaveOutWarmUp, OfOnePairLeavesIt) {
  RunResult result;
  LeaveOutWarmUp(1.0 / 3, &result);
  EXPECT_TRUE(result.pairs.empty());
  result.pairs.emplace_back();
  LeaveOutWarmUp(1.0 / 3, &result);
  EXPECT_EQ(result.pairs.size(), 1u);
}

}  // namespace
}  // namespace duetbench
