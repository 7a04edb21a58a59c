#include "duetbench/stats/autocorrelation.h"

#include <cmath>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/stats/golden.h"

namespace duetbench::stats {
namespace {

using ::testing::Each;

std::vector<double> Normal(std::size_t n, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(n);
  for (double& value : values) value = normal(engine);
  return values;
}

// The definition, term by term in long double.
double EwcByDefinition(const std::vector<double>& u, int nu) {
  const long double pi = std::acos(-1.0L);
  const auto n = static_cast<long double>(u.size());
  long double total = 0;
  for (int j = 1; j <= nu; ++j) {
    long double sum = 0;
    for (std::size_t t = 0; t < u.size(); ++t) {
      sum += u[t] * std::cos(pi * j * (static_cast<long double>(t) + 0.5L) / n);
    }
    total += 2 / n * sum * sum;
  }
  return static_cast<double>(total / nu);
}

TEST(Autocorrelation, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("series.json");
  const auto x = golden["x"].get<std::vector<double>>();
  const std::vector<double> rho = Autocorrelation(x, 5);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_THAT(rho[k], MatchesGolden(golden["acf1_5"][k]));
  EXPECT_DOUBLE_EQ(Lag1(x), rho[0]);
  const LjungBoxTest box = LjungBox(x, 5);
  EXPECT_THAT(box.statistic, MatchesGolden(golden["ljung_box_lag5"]["stat"]));
  EXPECT_THAT(box.p, MatchesGolden(golden["ljung_box_lag5"]["p"]));
}

TEST(Autocorrelation, Lag1OfTheRunsOfTheDuetFiles) {
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

TEST(Autocorrelation, OfAConstantSeriesIsZero) {
  EXPECT_THAT(Autocorrelation(std::vector<double>(20, 0.1), 3), Each(0.0));
}

TEST(Autocorrelation, DoesNotDependOnScaleAndLocation) {
  const std::vector<double> x = Normal(100, 1);
  std::vector<double> moved = x;
  for (double& value : moved) value = 1000 + 3 * value;
  EXPECT_NEAR(Lag1(moved), Lag1(x), 1e-10);
}

TEST(NeweyWest, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("series.json");
  const auto x = golden["x"].get<std::vector<double>>();
  EXPECT_THAT(NeweyWestStandardError(x, 3), MatchesGolden(golden["nw_se"]));
  EXPECT_THAT(NeweyWestStandardError(x, 6), MatchesGolden(golden["nw_se_lag6"]));
}

TEST(BatchMeans, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("series.json");
  const auto x = golden["x"].get<std::vector<double>>();
  for (const std::string key : {"batch6", "batch10"}) {
    const nlohmann::json& expected = golden[key];
    const BatchMeansResult result = BatchMeans(x, expected["K"]);
    EXPECT_EQ(result.batch_size, expected["b"].get<std::size_t>());
    EXPECT_THAT(result.mean, MatchesGolden(expected["mean"]));
    EXPECT_THAT(result.standard_error, MatchesGolden(expected["se"]));
    ASSERT_EQ(result.means.size(), expected["batch_means"].size());
    for (std::size_t i = 0; i < result.means.size(); ++i) {
      EXPECT_THAT(result.means[i], MatchesGolden(expected["batch_means"][i]));
    }
  }
}

TEST(Ewc, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("series.json");
  const auto x = golden["x"].get<std::vector<double>>();
  EXPECT_EQ(EwcDegreesOfFreedom(x.size()), golden["ewc_nu"].get<int>());
  EXPECT_THAT(EwcLongRunVariance(x, 5), MatchesGolden(golden["ewc_lrv"]));
  EXPECT_THAT(EwcLongRunVariance(x, 4), MatchesGolden(golden["ewc_lrv_nu4"]));
}

TEST(Ewc, DegreesOfFreedom) {
  EXPECT_EQ(EwcDegreesOfFreedom(3), 2);
  EXPECT_EQ(EwcDegreesOfFreedom(30), 3);
  EXPECT_EQ(EwcDegreesOfFreedom(100), 8);
  EXPECT_EQ(EwcDegreesOfFreedom(125), 10);
  EXPECT_EQ(EwcDegreesOfFreedom(1000), 40);
}

TEST(Ewc, EqualsItsDefinition) {
  for (const std::size_t n : {3u, 63u, 64u, 65u, 200u, 5000u}) {
    const std::vector<double> u = Normal(n, static_cast<unsigned>(n));
    const int nu = EwcDegreesOfFreedom(n);
    const double expected = EwcByDefinition(u, nu);
    EXPECT_NEAR(EwcLongRunVariance(u, nu) / expected, 1, 1e-12) << n;
  }
}

TEST(Ewc, AConstantAddedChangesNothing) {
  const std::vector<double> u = Normal(500, 3);
  std::vector<double> moved = u;
  for (double& value : moved) value += 50;
  EXPECT_NEAR(EwcLongRunVariance(moved, 20) / EwcLongRunVariance(u, 20), 1, 1e-11);
}

// For AR(1) with coefficient phi and unit innovations the long-run variance is 1 / (1 - phi)^2.
TEST(Ewc, EstimatesTheLongRunVariance) {
  constexpr std::size_t kLength = 50000;
  std::vector<double> x = Normal(kLength, 4);
  for (std::size_t t = 1; t < kLength; ++t) x[t] += 0.5 * x[t - 1];
  const int nu = EwcDegreesOfFreedom(kLength);  // 542: relative standard error sqrt(2/542) = 6 %
  EXPECT_NEAR(EwcLongRunVariance(x, nu), 4.0, 4 * 0.06 * 3.3);
}

TEST(AutocorrelationDeathTest, StopsWhenTheSeriesIsTooShort) {
  const std::vector<double> two = {1, 2};
  EXPECT_DEATH(Autocorrelation(two, 2), "more lags than values");
  EXPECT_DEATH(EwcLongRunVariance(two, 2), "nu must be");
  EXPECT_DEATH(NeweyWestStandardError(two, 2), "lag must be");
  EXPECT_DEATH(BatchMeans(two, 1), "at least two batches");
  EXPECT_DEATH(Lag1({1.0}), "fewer than two");
}

}  // namespace
}  // namespace duetbench::stats
