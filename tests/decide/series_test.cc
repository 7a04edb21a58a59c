#include "duetbench/decide/series.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/golden.h"

namespace duetbench::stats {
namespace {

TEST(Lag1, AgreesWithR) {
  const nlohmann::json golden = GoldenJson("series.json");
  EXPECT_THAT(Lag1(golden["x"].get<std::vector<double>>()), MatchesGolden(golden["acf1_5"][0]));
}

TEST(Lag1, OfAConstantSeriesIsZero) { EXPECT_EQ(Lag1(std::vector<double>(20, 0.1)), 0.0); }

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
