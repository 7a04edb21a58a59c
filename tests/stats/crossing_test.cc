#include "duetbench/stats/crossing.h"

#include <cmath>
#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

// ln(ratio) = mean, with this half-width.
CurvePoint PointAt(double x, double mean, double half) {
  return {
      x,
      {std::exp(mean), std::exp(mean - half), std::exp(mean + half), 0.99, IntervalKind::kT, ""}};
}

TEST(FindCrossings, OfTwoPointsIsFiellersInterval) {
  // (0.5 - w)^2 = 0.01 ((1-w)^2 + w^2) at w = 3/7 and 4/7.
  const std::vector<Crossing> found =
      FindCrossings({PointAt(1, 0.5, 0.1), PointAt(100, -0.5, 0.1)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].x, 10, 1e-9);
  EXPECT_NEAR(found[0].lo, std::pow(100, 3.0 / 7), 1e-9);
  EXPECT_NEAR(found[0].hi, std::pow(100, 4.0 / 7), 1e-9);
  EXPECT_TRUE(found[0].faster_from_here);
}

TEST(FindCrossings, IsExactWithoutNoise) {
  const std::vector<Crossing> found = FindCrossings({PointAt(64, 0.2, 0), PointAt(4, -0.2, 0)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].x, 16, 1e-9);
  EXPECT_NEAR(found[0].lo, 16, 1e-9);
  EXPECT_NEAR(found[0].hi, 16, 1e-9);
  EXPECT_FALSE(found[0].faster_from_here);
}

TEST(FindCrossings, UndecidedPointsWidenTheInterval) {
  const std::vector<Crossing> found =
      FindCrossings({PointAt(1, 0.5, 0.1), PointAt(10, 0.01, 0.1), PointAt(100, 0.02, 0.1),
                     PointAt(1000, -0.5, 0.1)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(found[0].lo, 10);
  EXPECT_GT(found[0].lo, 1);
  EXPECT_GT(found[0].hi, 100);
  EXPECT_LT(found[0].hi, 1000);
  EXPECT_GT(found[0].x, 100);
}

TEST(FindCrossings, ThereIsNoneWithoutDecidedPointsOnBothSides) {
  EXPECT_TRUE(FindCrossings({}).empty());
  EXPECT_TRUE(FindCrossings({PointAt(1, 0.5, 0.1)}).empty());
  EXPECT_TRUE(FindCrossings({PointAt(1, 0.5, 0.1), PointAt(9, -0.05, 0.1)}).empty());
  EXPECT_TRUE(FindCrossings({PointAt(1, 0.5, 0.1), PointAt(9, 0.2, 0.1)}).empty());
  CurvePoint endless = PointAt(9, -0.5, 0.1);
  endless.interval.hi = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(FindCrossings({PointAt(1, 0.5, 0.1), endless}).empty());
  EXPECT_TRUE(FindCrossings({PointAt(0, 0.5, 0.1), PointAt(9, -0.5, 0.1)}).empty());
}

TEST(FindCrossings, ThereMayBeSeveral) {
  const std::vector<Crossing> found =
      FindCrossings({PointAt(1, 0.5, 0.1), PointAt(100, -0.5, 0.1), PointAt(10000, 0.5, 0.1)});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].faster_from_here);
  EXPECT_FALSE(found[1].faster_from_here);
  EXPECT_NEAR(found[1].x, 1000, 1e-6);
}

// Curves of ten runs a point that cross at 32, where no point is.
TEST(FindCrossings, CoversTheCrossingAsOftenAsItsLevelSays) {
  std::mt19937_64 engine(20);
  std::normal_distribution<double> noise(0, 0.03);
  int found = 0;
  int covered = 0;
  for (int simulation = 0; simulation < 2000; ++simulation) {
    std::vector<CurvePoint> points;
    for (const double x : {1, 10, 100, 1000}) {
      std::vector<double> runs;
      for (int run = 0; run < 10; ++run) {
        runs.push_back(0.1 * std::log(32 / x) + noise(engine));
      }
      points.push_back({x, *TInterval(runs, 0.9)});
    }
    const std::vector<Crossing> crossings = FindCrossings(points);
    if (crossings.size() != 1) continue;
    ++found;
    if (crossings[0].lo <= 32 && 32 <= crossings[0].hi) ++covered;
  }
  EXPECT_GT(found, 1990);
  // 4 standard deviations of a binomial of 2000 at 0.9.
  EXPECT_NEAR(covered, 0.9 * found, 54);
}

}  // namespace
}  // namespace duetbench::stats
