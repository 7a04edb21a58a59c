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

TEST(SeriesDeathTest, StopsWhenTheSeriesIsTooShort) {
  const std::vector<double> two = {1, 2};
  EXPECT_DEATH(BatchMeans(two, 3), "one value in each");
  EXPECT_DEATH(Lag1({1.0}), "fewer than two");
}

}  // namespace
}  // namespace duetbench::stats
