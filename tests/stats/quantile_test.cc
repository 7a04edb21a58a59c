#include "duetbench/stats/quantile.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

const std::vector<double>& Squares() {
  static const auto* const kSquares = new std::vector<double>{1, 4, 9, 16, 25};
  return *kSquares;
}

// R: quantile(c(1, 4, 9, 16, 25), p, type = 1 | 6 | 7)
TEST(Quantile, FollowsTheNamedRule) {
  EXPECT_DOUBLE_EQ(QuantileInverseCdf(Squares(), 0.3), 4);
  EXPECT_DOUBLE_EQ(QuantileInverseCdf(Squares(), 0.4), 4);
  EXPECT_DOUBLE_EQ(QuantileInverseCdf(Squares(), 0.41), 9);
  EXPECT_DOUBLE_EQ(QuantileType6(Squares(), 0.3), 1 + 3 * 0.8);
  EXPECT_DOUBLE_EQ(QuantileType7(Squares(), 0.3), 4 + 5 * 0.2);
}

TEST(Quantile, EndsAtTheExtremes) {
  for (auto* rule : {QuantileInverseCdf, QuantileType6, QuantileType7, QuantileBootCi}) {
    EXPECT_EQ(rule(Squares(), 0), 1);
    EXPECT_EQ(rule(Squares(), 1), 25);
    EXPECT_EQ(rule(std::vector<double>{7}, 0.3), 7);
  }
}

TEST(QuantileInverseCdf, IsNotMovedByTheRoundingOfP) {
  std::vector<double> ten;
  for (int i = 1; i <= 10; ++i) ten.push_back(i);
  EXPECT_EQ(QuantileInverseCdf(ten, 0.9), 9);
  EXPECT_EQ(QuantileInverseCdf(ten, 1 - 0.9), 1);
  EXPECT_EQ(UpperQuantileInverseCdf(ten, 0.1), 9);
  EXPECT_EQ(UpperQuantileInverseCdf(ten, 1e-300), 10);
  EXPECT_EQ(UpperQuantileInverseCdf(ten, 1), 1);
}

TEST(QuantileBootCi, IsAnOrderStatisticAtAWholePosition) {
  EXPECT_EQ(QuantileBootCi(Squares(), 0.5), 9);
  EXPECT_EQ(QuantileBootCi(Squares(), 1.0 / 3), 4);
  // Between them it interpolates in the normal quantile, symmetrically about the median.
  const std::vector<double> symmetric = {-2, -1, 0, 1, 2};
  EXPECT_DOUBLE_EQ(QuantileBootCi(symmetric, 0.4), -QuantileBootCi(symmetric, 0.6));
  EXPECT_NE(QuantileBootCi(symmetric, 0.4), QuantileType6(symmetric, 0.4));
  EXPECT_EQ(QuantileBootCi(symmetric, 0.01), -2);
  EXPECT_EQ(QuantileBootCi(symmetric, 0.99), 2);
}

TEST(Quantile, NextToAnInfiniteValueIsInfinite) {
  const std::vector<double> values = {-HUGE_VAL, 0, 1, HUGE_VAL};
  EXPECT_EQ(QuantileType7(values, 0.1), -HUGE_VAL);
  EXPECT_EQ(QuantileType7(values, 0.9), HUGE_VAL);
  EXPECT_EQ(QuantileType7(values, 1.0 / 3), 0);
  EXPECT_EQ(QuantileBootCi(values, 0.7), HUGE_VAL);
  EXPECT_EQ(QuantileBootCi({HUGE_VAL, HUGE_VAL, HUGE_VAL}, 0.4), HUGE_VAL);
}

TEST(QuantileDeathTest, RefusesAnEmptySampleAndAWrongProbability) {
  EXPECT_DEATH(QuantileType7({}, 0.5), "needs a value");
  EXPECT_DEATH(QuantileType7(Squares(), 1.5), "in \\[0, 1\\]");
}

}  // namespace
}  // namespace duetbench::stats
