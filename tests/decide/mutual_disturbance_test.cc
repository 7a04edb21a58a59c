#include "duetbench/decide/mutual_disturbance.h"

#include <cmath>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "tests/measure/pair_of.h"

namespace duetbench {
namespace {

// Runs in which new takes `solo` times as long as old in solo samples, and `together` times at the
// same time; together, old takes twice its time. A run's ratios vary by 2 %, its pairs by 5 %.
std::vector<RunResult> Runs(int count, double solo, double together, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<RunResult> results;
  for (int run = 0; run < count; ++run) {
    RunResult& result = results.emplace_back();
    const double of_run = std::exp(0.02 * normal(random));
    for (uint32_t i = 0; i < 60; ++i) {
      const bool is_solo = i % 6 == 0;
      const double old_ticks = is_solo ? 1000 : 2000;
      const double new_ticks =
          old_ticks * (is_solo ? solo : together) * of_run * std::exp(0.05 * normal(random));
      result.pairs.push_back(PairOf(old_ticks, new_ticks, i, is_solo ? uint32_t{kSolo} : 0));
    }
  }
  return results;
}

TEST(MutualDisturbance, IsTheDifferenceBetweenSoloAndTogether) {
  const std::optional<MutualDisturbance> found = FindMutualDisturbance(Runs(10, 0.8, 1.1, 1));
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->ratio_solo, 0.8, 0.03);
  EXPECT_NEAR(found->ratio_together, 1.1, 0.03);
  EXPECT_LT(found->p, 1e-6);
  EXPECT_TRUE(DisturbEachOther(*found, 0.01));
  EXPECT_NEAR(found->slower, std::log(2 * 1.1 / 0.8), 0.03) << "new";
}

TEST(MutualDisturbance, BothSlowerAlikeIsNone) {
  int disturbed = 0;
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    const std::optional<MutualDisturbance> found = FindMutualDisturbance(Runs(8, 1.5, 1.5, seed));
    ASSERT_TRUE(found.has_value());
    if (DisturbEachOther(*found, 0.01)) ++disturbed;
  }
  EXPECT_LE(disturbed, 6) << "more than 6 of 1000 at 0.1 % have a probability below 0.0001";
}

TEST(MutualDisturbance, ADifferenceBelowHalfTheMarginIsNone) {
  const std::optional<MutualDisturbance> found = FindMutualDisturbance(Runs(40, 1.0, 1.02, 3));
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(DisturbEachOther(*found, 0.01));
  EXPECT_FALSE(DisturbEachOther(*found, 0.08));
}

TEST(MutualDisturbance, NeedsARunWithPairsOfBothKinds) {
  EXPECT_FALSE(FindMutualDisturbance({}).has_value());
  std::vector<RunResult> results = Runs(2, 1, 2, 1);
  for (PairRecord& pair : results[0].pairs) pair.flags &= ~uint32_t{kSolo};
  const std::optional<MutualDisturbance> of_one = FindMutualDisturbance(results);
  ASSERT_TRUE(of_one.has_value());
  EXPECT_FALSE(DisturbEachOther(*of_one, 0.01)) << "a single one is no evidence";
  EXPECT_NEAR(of_one->slower, std::log(4), 0.1);
  results.pop_back();
  EXPECT_FALSE(FindMutualDisturbance(results).has_value());
}

}  // namespace
}  // namespace duetbench
