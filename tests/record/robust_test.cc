#include "duetbench/record/robust.h"

#include <cmath>

#include "duetbench/decide/decision_policy.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

TEST(TrimmedMean, DropsTheSameNumberAtBothEnds) {
  EXPECT_DOUBLE_EQ(TrimmedMean({1000, 3, 1, 2, 4, 5, 6, 7, 8, -1000}, 0.1), 4.5);
  EXPECT_DOUBLE_EQ(TrimmedMean({3, 1, 2}, 0.1), 2.0);  // floor(0.3) = 0: nothing is dropped
  EXPECT_DOUBLE_EQ(TrimmedMean({7}, 0.1), 7.0);
  EXPECT_DOUBLE_EQ(TrimmedMean({9, 2, 5}, 0.4), 5.0);
}

TEST(TrimmedCount, OfTheTrimmedEstimatorsLeavesTheMiddleHalf) {
  for (std::size_t n = 4; n <= 100000; n += 4) {
    ASSERT_EQ(TrimmedCount(n, kDecision.trim), static_cast<std::ptrdiff_t>(n / 4));
    ASSERT_EQ(TrimmedCount(n - 1, kDecision.trim), static_cast<std::ptrdiff_t>(n / 4) - 1);
  }
}

TEST(Median, IsTheMiddleOrTheMeanOfTheMiddleTwo) {
  EXPECT_DOUBLE_EQ(Median({5}), 5);
  EXPECT_DOUBLE_EQ(Median({4, 1}), 2.5);
  EXPECT_DOUBLE_EQ(Median({9, 1, 5}), 5);
  EXPECT_DOUBLE_EQ(Median({9, 1, 5, 6}), 5.5);
  EXPECT_DOUBLE_EQ(Median({2, 2, 2, 8}), 2);
}

TEST(Variance, DoesNotCancelWhenTheMeanIsLarge) {
  EXPECT_DOUBLE_EQ(Variance({1, 2, 3, 4}), 5.0 / 3);
  EXPECT_DOUBLE_EQ(Variance({1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4}), 5.0 / 3);
  EXPECT_DOUBLE_EQ(StandardDeviation({3, 7}), 2.8284271247461903);
}

// R: quantile(c(1, 4, 9, 16, 25), p)
TEST(QuantileType7, InterpolatesLinearly) {
  const std::vector<double> squares = {1, 4, 9, 16, 25};
  EXPECT_DOUBLE_EQ(QuantileType7(squares, 0.3), 4 + 5 * 0.2);
  EXPECT_EQ(QuantileType7(squares, 0), 1);
  EXPECT_EQ(QuantileType7(squares, 1), 25);
  EXPECT_EQ(QuantileType7(std::vector<double>{7}, 0.3), 7);
}

TEST(QuantileType7, NextToAnInfiniteValueIsInfinite) {
  const std::vector<double> values = {-HUGE_VAL, 0, 1, HUGE_VAL};
  EXPECT_EQ(QuantileType7(values, 0.1), -HUGE_VAL);
  EXPECT_EQ(QuantileType7(values, 0.9), HUGE_VAL);
  EXPECT_EQ(QuantileType7(values, 1.0 / 3), 0);
}

}  // namespace
}  // namespace duetbench::stats
