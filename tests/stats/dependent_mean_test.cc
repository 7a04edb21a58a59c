#include "duetbench/stats/dependent_mean.h"

#include <cmath>
#include <random>
#include <vector>

#include "duetbench/stats/robust.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

TEST(TimeSlots, AreTheRunsOfFewAndAtMostEight) {
  EXPECT_EQ(TimeSlots(5), 5);
  EXPECT_EQ(TimeSlots(11), 11);
  EXPECT_EQ(TimeSlots(12), 6);
  EXPECT_EQ(TimeSlots(15), 7);
  EXPECT_EQ(TimeSlots(16), 8);
  EXPECT_EQ(TimeSlots(40), 8);
  EXPECT_EQ(TimeSlots(40, 16), 16) << "of a group";
}

TEST(DependentMean, OfIndependentValuesIsThatOfTheMean) {
  const std::vector<double> values = {1, 2, 4, 9};
  const MeanEstimate mean = MeanOfIndependent(values);
  EXPECT_DOUBLE_EQ(mean.mean, 4);
  EXPECT_DOUBLE_EQ(mean.error, StandardDeviation(values) / 2);
  EXPECT_DOUBLE_EQ(mean.degrees_of_freedom, 3);
}

TEST(DependentMean, InTimeIsThatOfTheMeansOfSlots) {
  // Sixteen values in eight slots of two.
  const std::vector<double> values = {1, 3, 5, 7, 1, 3, 7, 5, 0, 0, 4, 4, 6, 4, 3, 3};
  const std::vector<double> means = {2, 6, 2, 6, 0, 4, 5, 3};
  const MeanEstimate mean = MeanOfDependent(values);
  EXPECT_DOUBLE_EQ(mean.mean, Mean(values));
  EXPECT_DOUBLE_EQ(mean.error, StandardDeviation(means) / std::sqrt(8));
  EXPECT_DOUBLE_EQ(mean.degrees_of_freedom, 7);
}

TEST(DependentMean, OfFewRunsInTimeIsThatOfIndependentOnes) {
  const std::vector<double> values = {1, 2, 4, 9, 3};
  EXPECT_DOUBLE_EQ(MeanOfDependent(values).error, MeanOfIndependent(values).error);
}

TEST(DependentMean, HasAtLeastTheErrorOfIndependentValues) {
  const std::vector<double> values = {1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3};
  EXPECT_DOUBLE_EQ(MeanOfDependent(values).error, MeanOfIndependent(values).error);
  EXPECT_DOUBLE_EQ(MeanOfDependent(values).degrees_of_freedom, 7);
}

TEST(DependentMean, InTimeSeesThatNeighborsAreAlike) {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(std::sin(i / 5.0));
  EXPECT_GT(MeanOfDependent(values).error, 1.8 * MeanOfIndependent(values).error);
}

TEST(LocationDeathTest, OneValueHasNoError) { EXPECT_DEATH(MeanOfDependent({1.0}), "two values"); }

}  // namespace
}  // namespace duetbench::stats
