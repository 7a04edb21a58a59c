#include "duetbench/stats/sub_selections.h"

#include <algorithm>
#include <vector>

#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

TEST(AverageOf, ArithmeticForTimesHarmonicForRates) {
  EXPECT_DOUBLE_EQ(AverageOf({1, 2, 6}, Average::kArithmetic), 3.0);
  // The same way at 60 and at 40 km/h: 48 km/h on average.
  EXPECT_DOUBLE_EQ(AverageOf({60, 40}, Average::kHarmonic), 48.0);
}

TEST(SubSelectionMedian, OfEqualValuesIsThatValue) {
  Random random(1);
  EXPECT_DOUBLE_EQ(SubSelectionMedian({7, 7, 7, 7}, Average::kArithmetic, random), 7.0);
  EXPECT_DOUBLE_EQ(SubSelectionMedian({7, 7, 7, 7}, Average::kHarmonic, random), 7.0);
  EXPECT_DOUBLE_EQ(SubSelectionMedian({7}, Average::kArithmetic, random), 7.0);
}

TEST(SubSelectionMedian, TakesFourFifths) {
  // 8 of 10 values of which one is 100 and the others 0: the average is 0 or 12.5, with probability
  // 0.2 and 0.8, so the median of 100 is 12.5.
  Random random(2);
  const std::vector<double> values = {0, 0, 0, 0, 100, 0, 0, 0, 0, 0};
  for (int trial = 0; trial < 20; ++trial) {
    EXPECT_DOUBLE_EQ(SubSelectionMedian(values, Average::kArithmetic, random), 12.5);
  }
}

TEST(SubSelectionMedian, ASelectionIsWithoutReplacement) {
  // All of 5 values: the average of the values, whatever the order.
  Random random(3);
  EXPECT_NEAR(SubSelectionMedian({1, 2, 3, 4, 10}, Average::kArithmetic, random, 9, 1.0), 4.0,
              1e-14);
}

TEST(SubSelectionMedian, IsBetweenTheExtremesAndDependsOnTheSeedOnly) {
  const std::vector<double> values = {5, 1, 9, 4, 4, 7, 30};
  Random random(4);
  Random same(4);
  for (int trial = 0; trial < 50; ++trial) {
    const double median = SubSelectionMedian(values, Average::kHarmonic, random);
    EXPECT_GE(median, 1.0);
    EXPECT_LE(median, 30.0);
    EXPECT_EQ(median, SubSelectionMedian(values, Average::kHarmonic, same));
  }
}

TEST(SubSelectionAverage, AveragesOverRuns) {
  Random random(5);
  const std::vector<std::vector<double>> runs = {{2, 2, 2}, {4, 4}, {9}};
  EXPECT_DOUBLE_EQ(SubSelectionAverage(runs, Average::kArithmetic, random), 5.0);
}

TEST(SubSelectionsDeathTest, StopOnWhatHasNoAverage) {
  Random random(6);
  EXPECT_DEATH(AverageOf({}, Average::kArithmetic), "no values");
  EXPECT_DEATH(AverageOf({1, 0}, Average::kHarmonic), "positive");
  EXPECT_DEATH(SubSelectionMedian({1, 2}, Average::kArithmetic, random, 100, 1.5), "share");
}

}  // namespace
}  // namespace duetbench::stats
