#include "duetbench/decision/run_weights.h"

#include <cmath>
#include <limits>
#include <vector>

#include "duetbench/stats/interval.h"
#include "duetbench/stats/random.h"
#include "duetbench/stats/robust.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

// Uniform numbers with the standard deviation 1.
double Noise(Random& random) { return std::sqrt(12.0) * (random.Uniform() - 0.5); }

// Runs around ln 1.1, each with its own error.
std::vector<double> RunsWithErrors(const std::vector<double>& errors) {
  Random random(1);
  std::vector<double> values;
  for (const double error : errors) values.push_back(std::log(1.1) + error * Noise(random));
  return values;
}

std::vector<double> Squares(std::vector<double> errors) {
  for (double& error : errors) error *= error;
  return errors;
}

// 20 runs, every fourth of them disturbed.
std::vector<double> SomeDisturbed() {
  std::vector<double> errors(20, 0.001);
  for (size_t i = 0; i < errors.size(); i += 4) errors[i] = 0.1;
  return errors;
}

TEST(WeightedRunValues, AreThoseOfTheRunsWhereAllAreAlike) {
  const std::vector<double> errors(20, 0.01);
  const std::vector<double> values = RunsWithErrors(errors);
  const std::vector<double> weighted = WeightedRunValues(values, Squares(errors));
  ASSERT_EQ(weighted.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(weighted[i], values[i], 1e-12);
}

TEST(WeightedRunValues, DoNotFollowTheRunsThatAreDisturbed) {
  const std::vector<double> values = RunsWithErrors(SomeDisturbed());
  const std::vector<double> weighted = WeightedRunValues(values, Squares(SomeDisturbed()));
  EXPECT_GT(std::abs(Mean(values) - std::log(1.1)), 0.002) << "these are all of one weight";
  EXPECT_NEAR(Mean(weighted), std::log(1.1), 0.001);
  EXPECT_LT(StandardDeviation(weighted), 0.1 * StandardDeviation(values));
  EXPECT_GT(StandardDeviation(weighted), 0.001) << "15 of them know no more than 15 runs do";
}

TEST(WeightedRunValues, CountNoRunMoreThanTheMedianOne) {
  std::vector<double> errors = SomeDisturbed();
  const std::vector<double> values = RunsWithErrors(errors);
  const std::vector<double> weighted = WeightedRunValues(values, Squares(errors));
  errors[1] = 1e-9;
  errors[2] = 0;
  EXPECT_EQ(WeightedRunValues(values, Squares(errors)), weighted);
}

TEST(WeightedRunValues, AreAboutThoseOfTheRunsWhereProcessesDifferMore) {
  const std::vector<double> values = RunsWithErrors(std::vector<double>(20, 0.1));
  std::vector<double> errors(20, 0.001);
  errors[3] = 0.01;
  const std::vector<double> weighted = WeightedRunValues(values, Squares(errors));
  EXPECT_NEAR(Mean(weighted), Mean(values), 0.001);
  EXPECT_NEAR(StandardDeviation(weighted), StandardDeviation(values), 0.001);
}

TEST(WeightedRunValues, AreThoseOfTheRunsWhereWeightsWouldChangeTheRatio) {
  const std::vector<double> errors = SomeDisturbed();
  std::vector<double> values = RunsWithErrors(errors);
  for (size_t i = 0; i < errors.size(); i += 4) values[i] += 0.3;
  EXPECT_EQ(WeightedRunValues(values, Squares(errors)), values);
}

TEST(WeightedRunValues, OfFewRunsOrUnknownErrorsAreThoseOfTheRuns) {
  std::vector<double> errors = SomeDisturbed();
  std::vector<double> values = RunsWithErrors(errors);
  std::vector<double> variances = Squares(errors);
  EXPECT_NE(WeightedRunValues(values, variances), values);
  EXPECT_EQ(WeightedRunValues(values, std::vector<double>(20, 0)), values);
  variances[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(WeightedRunValues(values, variances), values);
  values.resize(17);
  errors.resize(17);
  EXPECT_EQ(WeightedRunValues(values, Squares(errors)), values);
}

TEST(WeightedRunValues, ThatAreAllEqualStaySo) {
  const std::vector<double> equal(20, 0.1);
  for (const double value : WeightedRunValues(equal, Squares(SomeDisturbed()))) {
    EXPECT_NEAR(value, 0.1, 1e-15);
  }
}

TEST(WeightedRunValuesDeathTest, NeedAVarianceOfEachRun) {
  EXPECT_DEATH(WeightedRunValues({0.1, 0.2}, {0.1}), "variance");
}

// 400 pairs with log-ratios of noise; each value is repeated.
RunPairs NoisyPairs(uint64_t seed, int repeated) {
  Random random(seed);
  RunPairs pairs;
  double noise = 0;
  for (int i = 0; i < 400; ++i) {
    if (i % repeated == 0) noise = 0.01 * Noise(random);
    pairs.push_back({100, 110 * std::exp(noise), i / 2 % 2});
  }
  return pairs;
}

double MeanVariance(int repeated) {
  double sum = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    sum += WithinRunVariance(NoisyPairs(seed, repeated), Estimator::kGeomean) / 200;
  }
  return sum;
}

TEST(WithinRunVariance, IsThatOfTheMeanOfThePairs) {
  EXPECT_NEAR(MeanVariance(1), 0.01 * 0.01 / 400, 0.1 * 0.01 * 0.01 / 400);
  EXPECT_NEAR(MeanVariance(5), 0.01 * 0.01 / 80, 0.1 * 0.01 * 0.01 / 80)
      << "neighbors that are alike are one";
}

TEST(WithinRunVariance, IsNotKnownOfFewPairs) {
  RunPairs pairs = NoisyPairs(1, 1);
  pairs.resize(16);
  EXPECT_GT(WithinRunVariance(pairs, Estimator::kGeomean), 0);
  pairs.resize(15);
  EXPECT_TRUE(std::isnan(WithinRunVariance(pairs, Estimator::kTrimmed)));
}

}  // namespace
}  // namespace duetbench::stats
