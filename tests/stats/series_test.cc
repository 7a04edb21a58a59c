#include "duetbench/stats/series.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/stats/golden.h"

namespace duetbench::stats {
namespace {

std::vector<double> Normal(std::size_t n, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(n);
  for (double& value : values) value = normal(engine);
  return values;
}

TEST(Lag1, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("series.json");
  EXPECT_THAT(Lag1(golden["x"].get<std::vector<double>>()), MatchesGolden(golden["acf1_5"][0]));
}

TEST(Lag1, OfTheRunsOfTheDuetFiles) {
  for (const std::string name : {"duet_tiny", "duet_r3", "duet_r10"}) {
    const nlohmann::json golden = GoldenJson(name + ".json")["results"];
    std::vector<std::vector<double>> runs(golden["R"].get<std::size_t>());
    for (const auto& row : GoldenCsv(name + ".csv")) {
      runs[static_cast<std::size_t>(row[0])].push_back(std::log(row[2] / row[3]));
    }
    for (std::size_t r = 0; r < runs.size(); ++r) {
      EXPECT_NEAR(Lag1(runs[r]), golden["lag1_log_ratio"][r], 1e-12) << name << " run " << r;
    }
  }
}

TEST(Lag1, OfAConstantSeriesIsZero) { EXPECT_EQ(Lag1(std::vector<double>(20, 0.1)), 0.0); }

TEST(Lag1, DoesNotDependOnScaleAndLocation) {
  const std::vector<double> x = Normal(100, 1);
  std::vector<double> moved = x;
  for (double& value : moved) value = 1000 + 3 * value;
  EXPECT_NEAR(Lag1(moved), Lag1(x), 1e-10);
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

TEST(MannKendall, AscendingValues) {
  const MannKendall test = MannKendallTest({1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_DOUBLE_EQ(test.tau, 1.0);
  // S = 28, variance 8 * 7 * 21 / 18: z = 27 / 8.083.
  EXPECT_NEAR(test.p, std::erfc(27 / std::sqrt(8 * 7 * 21 / 18.0) / std::sqrt(2.0)), 1e-15);
  EXPECT_LT(test.p, 0.001);
  EXPECT_DOUBLE_EQ(MannKendallTest({8, 7, 6, 5}).tau, -1.0);
}

TEST(MannKendall, BelowEightValuesNothingIsCertain) {
  EXPECT_GT(MannKendallTest({1, 2, 3, 4, 5, 6, 7}).p, 0.001);
}

TEST(MannKendall, TiesReduceTheVariance) {
  // S = 4; variance (4*3*13 - 2*(2*1*9)) / 18 = 20/3.
  const MannKendall test = MannKendallTest({1, 1, 2, 2});
  EXPECT_DOUBLE_EQ(test.tau, 4 / 6.0);
  EXPECT_NEAR(test.p, std::erfc(3 / std::sqrt(20 / 3.0) / std::sqrt(2.0)), 1e-15);
  EXPECT_EQ(MannKendallTest({3, 3, 3}).p, 1.0);
}

TEST(MannKendall, DependsOnRanksOnly) {
  const std::vector<double> series = {1, 4, 2, 8, 5, 7, 6, 9};
  std::vector<double> heavy = series;
  for (double& value : heavy) value = std::exp(3 * value);
  EXPECT_EQ(MannKendallTest(series).p, MannKendallTest(heavy).p);
}

TEST(MannKendall, FalseAlarmsAreAsStated) {
  std::mt19937_64 engine(1);
  std::cauchy_distribution<double> cauchy;
  int alarms = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<double> series(12);
    for (double& value : series) value = cauchy(engine);
    if (MannKendallTest(series).p <= 0.05) ++alarms;
  }
  EXPECT_LE(alarms, 200 + 46);
  EXPECT_GE(alarms, 110);  // discrete, so below 5 %
}

TEST(TheilSen, IsTheSlopeOfALine) {
  EXPECT_DOUBLE_EQ(TheilSenSlope({1, 3, 5, 7}), 2.0);
  EXPECT_DOUBLE_EQ(TheilSenSlope({5, 4}), -1.0);
}

TEST(TheilSen, IgnoresAQuarterOfWildValues) {
  EXPECT_NEAR(TheilSenSlope({0, 1, 1e6, 3, 4, 5, -1e6, 7, 8, 9}), 1.0, 1e-12);
}

TEST(SeriesDeathTest, StopsWhenTheSeriesIsTooShort) {
  const std::vector<double> two = {1, 2};
  EXPECT_DEATH(BatchMeans(two, 3), "one value in each");
  EXPECT_DEATH(Lag1({1.0}), "fewer than two");
  EXPECT_DEATH(MannKendallTest({1.0}), "fewer than two");
  EXPECT_DEATH(TheilSenSlope({1.0}), "fewer than two");
}

}  // namespace
}  // namespace duetbench::stats
