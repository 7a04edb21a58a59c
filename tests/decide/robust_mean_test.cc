#include "duetbench/decide/robust_mean.h"

#include <cmath>
#include <string>

#include "duetbench/record/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/golden.h"

namespace duetbench::stats {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Eighteen quantiles of the normal distribution, in an order without a correlation of neighbors.
std::vector<double> NormalValues() {
  return {0.07, -0.73, 1.09, -1.91, 0.21, 0.73,  -0.35, 1.38, -1.09,
          0.5,  -0.21, 1.91, -1.38, 0.9,  -0.07, -0.9,  0.35, -0.5};
}

TEST(MeanOfIndependent, IsThatOfTheTInterval) {
  const std::vector<double> values = {1, 2, 4, 9};
  const MeanEstimate mean = MeanOfIndependent(values);
  EXPECT_DOUBLE_EQ(mean.mean, 4);
  EXPECT_DOUBLE_EQ(mean.error, StandardDeviation(values) / 2);
  EXPECT_DOUBLE_EQ(mean.degrees_of_freedom, 3);
}

TEST(MeanOfSeries, HasALargerErrorWhereNeighborsAreAlike) {
  std::vector<double> wave;
  for (int i = 0; i < 40; ++i) wave.push_back(std::sin(i / 5.0));
  EXPECT_DOUBLE_EQ(MeanOfSeries(wave).error, 3 * MeanOfIndependent(wave).error)
      << "at the largest correlation, 0.8";
  const std::vector<double> unlike = {1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3};
  EXPECT_DOUBLE_EQ(MeanOfSeries(unlike).error, MeanOfIndependent(unlike).error);
}

// Lag1 of these is 3/8; with its bias, (1 + 9/8) / 8, r is 0.640625.
TEST(MeanOfSeries, CorrectsTheCorrelationForItsBias) {
  const std::vector<double> values = {1, 1, -1, -1, -1, -1, 1, 1};
  EXPECT_NEAR(MeanOfSeries(values).error,
              std::sqrt(1.640625 / 0.359375) * MeanOfIndependent(values).error, 1e-12);
}

TEST(RobustMean, OfNormalValuesIsTheMean) {
  const MeanEstimate mean = RobustMean(NormalValues(), 1);
  EXPECT_NEAR(mean.mean, 0, 1e-12);
  EXPECT_EQ(mean.degrees_of_freedom, 17);
  EXPECT_NEAR(mean.error, MeanOfIndependent(NormalValues()).error, 1e-12);
  EXPECT_THAT(mean.far_off, IsEmpty());
}

TEST(RobustMean, LeavesOutAValueFarOff) {
  std::vector<double> values = NormalValues();
  values[4] = 30;
  const MeanEstimate mean = RobustMean(values, 1);
  EXPECT_THAT(mean.far_off, ElementsAre(30));
  EXPECT_NEAR(mean.mean, -0.21 / 17, 1e-12);
  EXPECT_EQ(mean.degrees_of_freedom, 16);
  EXPECT_LT(mean.error, 1.3 * RobustMean(NormalValues(), 1).error);
  values[4] = -30;
  EXPECT_THAT(RobustMean(values, 1).far_off, ElementsAre(-30));
}

TEST(RobustMean, KeepsMoreOfThem) {
  std::vector<double> values = NormalValues();
  values[2] = 30;
  values[9] = 31;
  values[15] = 29;
  const MeanEstimate mean = RobustMean(values, 1);
  EXPECT_DOUBLE_EQ(mean.mean, Mean(values));
  EXPECT_THAT(mean.far_off, IsEmpty());
}

TEST(RobustMean, OfHeavyTailsIsThatOfTheMiddleHalf) {
  std::vector<double> values = NormalValues();
  for (double& value : values) {
    if (std::abs(value) > 1) value *= 12;
  }
  const MeanEstimate mean = RobustMean(values, 1);
  EXPECT_EQ(mean.degrees_of_freedom, 9);
  EXPECT_LT(mean.error, 0.2 * MeanOfIndependent(values).error);
}

TEST(RobustMean, OfATailOnOneSideIsTheMean) {
  std::vector<double> values = NormalValues();
  for (double& value : values) {
    if (value > 0.6) value *= 12;
  }
  EXPECT_DOUBLE_EQ(RobustMean(values, 1).mean, Mean(values));
}

TEST(WithoutFarOff, MovesThemToTheNearestValue) {
  EXPECT_THAT(WithoutFarOff({1, 2, 3, 4, 100}, 1), ElementsAre(1, 2, 3, 4, 4));
  EXPECT_THAT(WithoutFarOff({1, 2, 3, 4, 100}, 0), ElementsAre(1, 2, 3, 4, 100));
  EXPECT_THAT(WithoutFarOff({7, 7, 7}, 1), ElementsAre(7, 7, 7));
}

TEST(MostFarOff, IsOneInTwelve) {
  EXPECT_EQ(MostFarOff(11), 0u);
  EXPECT_EQ(MostFarOff(20), 1u);
  EXPECT_EQ(MostFarOff(40), 3u);
}

TEST(BatchMeans, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("series.json");
  const auto x = golden["x"].get<std::vector<double>>();
  for (const std::string key : {"batch6", "batch10"}) {
    const nlohmann::json& expected = golden[key];
    const std::vector<double> means = BatchMeans(x, expected["K"]);
    ASSERT_EQ(means.size(), expected["batch_means"].size());
    for (std::size_t i = 0; i < means.size(); ++i) {
      EXPECT_THAT(means[i], MatchesGolden(expected["batch_means"][i]));
    }
  }
}

}  // namespace
}  // namespace duetbench::stats
