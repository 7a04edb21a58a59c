#include "duetbench/stats/cliffs_delta.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "tests/stats/golden.h"

namespace duetbench::stats {
namespace {

TEST(CliffsDelta, AgreesWithR) {
  const nlohmann::json rows = GoldenJson("cliff.json")["cases"];
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const auto x = row["x"].get<std::vector<double>>();
    const auto y = row["y"].get<std::vector<double>>();
    const double delta = CliffsDelta(x, y);
    EXPECT_THAT(delta, MatchesGolden(row["delta"]));
    EXPECT_EQ(MagnitudeName(MagnitudeOf(delta)), row["label"].get<std::string>());
    EXPECT_THAT(2 * row["U"].get<double>() / static_cast<double>(x.size() * y.size()) - 1,
                ::testing::DoubleNear(delta, 1e-14));
  }
  const nlohmann::json golden = GoldenJson("tests.json")["unpaired"];
  EXPECT_THAT(
      CliffsDelta(golden["x"].get<std::vector<double>>(), golden["y"].get<std::vector<double>>()),
      MatchesGolden(golden["cliffs_delta"]));
}

TEST(CliffsDelta, EqualsTheCountOverAllPairs) {
  std::mt19937_64 engine(1);
  for (int trial = 0; trial < 100; ++trial) {
    std::uniform_int_distribution<int> value(0, 1 + trial);
    std::vector<double> x(1 + trial % 13);
    std::vector<double> y(1 + trial % 7);
    for (double& v : x) v = value(engine);
    for (double& v : y) v = value(engine);
    double sum = 0;
    for (const double a : x) {
      for (const double b : y) sum += (a > b) - (a < b);
    }
    const double expected = sum / static_cast<double>(x.size() * y.size());
    EXPECT_NEAR(CliffsDelta(x, y), expected, 1e-14);
    EXPECT_NEAR(CliffsDelta(y, x), -expected, 1e-14);
  }
}

TEST(CliffsDelta, ThresholdsOfRomano) {
  EXPECT_EQ(MagnitudeOf(0.1469), Magnitude::kNegligible);
  EXPECT_EQ(MagnitudeOf(0.147), Magnitude::kSmall);
  EXPECT_EQ(MagnitudeOf(-0.33), Magnitude::kMedium);
  EXPECT_EQ(MagnitudeOf(0.474), Magnitude::kLarge);
  EXPECT_EQ(MagnitudeName(Magnitude::kMedium), "medium");
}

TEST(CliffsDeltaDeathTest, StopsOnEmptySamples) {
  EXPECT_DEATH(CliffsDelta({}, {1.0}), "a sample is empty");
}

}  // namespace
}  // namespace duetbench::stats
