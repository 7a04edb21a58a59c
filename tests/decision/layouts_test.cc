#include "duetbench/decision/layouts.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "duetbench/stats/interval.h"
#include "duetbench/stats/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

TEST(LayoutMeans, AreInTheOrderOfTheLayoutsWithEqualWeight) {
  EXPECT_THAT(LayoutMeans({0.5, 0.25, 1.5, 0.75}, {2, 0, 2, 1}),
              ElementsAre(DoubleEq(0.25), DoubleEq(0.75), DoubleEq(1.0)));
}

// By hand: means 1, 3, 8 of two values each with deviations of 1; the mean squares are 26 and 2.
TEST(LayoutSpreadTest, DividesTheSpreadAsTheAnalysisOfVarianceDoes) {
  const LayoutSpread spread = ComputeLayoutSpread({0, 2, 2, 4, 7, 9}, {0, 0, 1, 1, 2, 2});
  EXPECT_EQ(spread.layouts, 3);
  ASSERT_TRUE(spread.run_sd.has_value() && spread.layout_sd.has_value());
  EXPECT_NEAR(*spread.run_sd, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(*spread.layout_sd, std::sqrt((26.0 - 2.0) / 2), 1e-12);
  ASSERT_TRUE(spread.own_effect.has_value());
  EXPECT_NEAR(*spread.own_effect, 1 - 4.0, 1e-12);
}

// By hand: means 0 (of three values) and 4; within 2, between 12, n0 = 4 - 10/4 = 1.5.
TEST(LayoutSpreadTest, AllowsForUnequalNumbersOfRuns) {
  const LayoutSpread spread = ComputeLayoutSpread({-1, 0, 1, 4}, {0, 0, 0, 5});
  ASSERT_TRUE(spread.layout_sd.has_value());
  EXPECT_NEAR(*spread.run_sd, 1, 1e-12);
  EXPECT_NEAR(*spread.layout_sd, std::sqrt((12.0 - 1) / 1.5), 1e-12);
  EXPECT_NEAR(*spread.own_effect, -2, 1e-12);
}

TEST(LayoutSpreadTest, IsZeroWhereTheRunsExplainEverything) {
  const LayoutSpread spread = ComputeLayoutSpread({-1, 1, 1, -1}, {0, 0, 1, 1});
  EXPECT_EQ(spread.layout_sd, 0);
}

TEST(LayoutSpreadTest, SaysNothingOfWhatItCannotKnow) {
  const LayoutSpread spread = ComputeLayoutSpread({1, 2, 3}, {1, 2, 3});
  EXPECT_EQ(spread.layouts, 3);
  EXPECT_FALSE(spread.own_effect.has_value());
  EXPECT_FALSE(spread.layout_sd.has_value());
  EXPECT_FALSE(spread.run_sd.has_value());
}

TEST(LayoutSpreadDeathTest, NeedsTwoLayouts) {
  EXPECT_DEATH(ComputeLayoutSpread({1, 2}, {3, 3}), "two of them");
}

// --- Coverage ---

class Gauss {
 public:
  explicit Gauss(uint64_t seed) : random_(seed) {}
  double Next() {  // Box and Muller
    const double radius = std::sqrt(-2 * std::log1p(-random_.Uniform()));
    return radius * std::cos(2 * 3.14159265358979323846 * random_.Uniform());
  }

 private:
  Random random_;
};

constexpr int kExperiments = 2000;
constexpr double kLevel = 0.95;

struct World {
  int layouts;
  int runs;
  double layout_sd;  // in standard deviations of the runs of one layout
};

// The numbers of intervals of `kExperiments` that miss the truth, by layout and by run.
struct Misses {
  int by_layout = 0;
  int by_run = 0;
};
Misses Simulate(const World& world) {
  Gauss gauss(17);
  Misses misses;
  for (int i = 0; i < kExperiments; ++i) {
    std::vector<double> effects;
    for (int layout = 0; layout < world.layouts; ++layout) {
      effects.push_back(0.01 * world.layout_sd * gauss.Next());
    }
    std::vector<double> values;
    std::vector<int> layouts;
    for (int run = 0; run < world.runs; ++run) {
      layouts.push_back(run % world.layouts);
      values.push_back(effects[static_cast<size_t>(layouts.back())] + 0.01 * gauss.Next());
    }
    const auto interval = TInterval(LayoutMeans(values, layouts), kLevel);
    const auto plain = TInterval(values, kLevel);
    if (interval->lo > 1 || interval->hi < 1) ++misses.by_layout;
    if (plain->lo > 1 || plain->hi < 1) ++misses.by_run;
  }
  return misses;
}

// The most misses of a valid interval, with probability 1 - 1e-4.
int MostMisses() {
  return static_cast<int>(boost::math::quantile(
      boost::math::complement(boost::math::binomial(kExperiments, 1 - kLevel), 1e-4)));
}
int LeastMisses() {
  return static_cast<int>(
      boost::math::quantile(boost::math::binomial(kExperiments, 1 - kLevel), 1e-4));
}

TEST(LayoutCoverage, IsTheNominalOneWhateverPartOfTheSpreadIsLayout) {
  for (const int layouts : {3, 8}) {
    for (const double layout_sd : {0.0, 1.0, 10.0}) {
      const Misses misses = Simulate({layouts, 3 * layouts, layout_sd});
      EXPECT_LE(misses.by_layout, MostMisses()) << layouts << " layouts, " << layout_sd;
      EXPECT_GE(misses.by_layout, LeastMisses()) << layouts << " layouts, " << layout_sd;
    }
  }
}

// As at an interim analysis: some layouts have one run more than others.
TEST(LayoutCoverage, AllowsForUnequalNumbersOfRuns) {
  for (const double layout_sd : {0.0, 1.0}) {
    EXPECT_LE(Simulate({8, 12, layout_sd}).by_layout, MostMisses()) << layout_sd;
    EXPECT_LE(Simulate({8, 18, layout_sd}).by_layout, MostMisses()) << layout_sd;
  }
}

// Why the runs are not taken for independent.
TEST(LayoutCoverage, IntervalsOverRunsMissTheCodeWhereLayoutsDiffer) {
  EXPECT_LE(Simulate({8, 40, 0}).by_run, MostMisses());
  EXPECT_GT(Simulate({8, 40, 1}).by_run, 3 * MostMisses());
}

}  // namespace
}  // namespace duetbench::stats
