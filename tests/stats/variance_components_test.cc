#include "duetbench/stats/variance_components.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/stats/golden.h"

namespace duetbench::stats {
namespace {

using ::testing::ElementsAre;

std::vector<double> Flat(const nlohmann::json& rows) {
  std::vector<double> values;
  for (const auto& row : rows) {
    for (const double value : row) values.push_back(value);
  }
  return values;
}

TEST(VarianceComponents, WorkedExamplesOfKaliberaAndJones) {
  const nlohmann::json golden = GoldenJson("kalibera_jones.json");
  for (const std::string key : {"ex2", "ex3"}) {
    const nlohmann::json& example = golden[key];
    const auto components = BalancedVarianceComponents(
        Flat(example["data"]), example["reps"].get<std::vector<std::size_t>>());
    const nlohmann::json& published = example["published"];
    EXPECT_DOUBLE_EQ(components.mean, published["mean"]);
    ASSERT_EQ(components.s2.size(), published["S2"].size());
    for (std::size_t i = 0; i < components.s2.size(); ++i) {
      // Published with one decimal.
      EXPECT_NEAR(components.s2[i], published["S2"][i], 0.05 + 1e-9) << key;
      EXPECT_NEAR(components.t2[i], published["T2"][i], 0.05 + 1e-9) << key;
    }
  }
}

TEST(VarianceComponents, TwoLevelsAgreeWithR) {
  const nlohmann::json golden = GoldenJson("kalibera_jones.json")["two_level"];
  const auto y = golden["y"].get<std::vector<double>>();
  const auto components = BalancedVarianceComponents(y, {3, 4});
  EXPECT_THAT(components.s2[0], MatchesGolden(golden["S1_2"]));
  EXPECT_THAT(components.s2[1], MatchesGolden(golden["S2_2"]));
  EXPECT_THAT(components.t2[0], MatchesGolden(golden["T1_2"]));
  EXPECT_THAT(components.t2[1], MatchesGolden(golden["T2_2"]));
  EXPECT_THAT(components.s2[0], MatchesGolden(golden["MSW"]));
  EXPECT_THAT(4 * components.s2[1], MatchesGolden(golden["MSB"]));
  EXPECT_THAT(IntraclassCorrelation(components), MatchesGolden(golden["ICC"]));
}

TEST(VarianceComponents, OfTheDuetFiles) {
  for (const std::string name : {"duet_tiny", "duet_r3", "duet_r10"}) {
    const nlohmann::json golden = GoldenJson(name + ".json")["results"];
    std::vector<std::vector<double>> runs(golden["R"].get<std::size_t>());
    for (const auto& row : GoldenCsv(name + ".csv")) {
      runs[static_cast<std::size_t>(row[0])].push_back(std::log(row[2] / row[3]));
    }
    const auto components = RunVarianceComponents(runs);
    EXPECT_THAT(components.s2[0], MatchesGolden(golden["KJ"]["S1_2"])) << name;
    EXPECT_THAT(components.s2[1], MatchesGolden(golden["KJ"]["S2_2"])) << name;
    EXPECT_THAT(components.t2[0], MatchesGolden(golden["KJ"]["T1_2"])) << name;
    EXPECT_THAT(components.t2[1], MatchesGolden(golden["KJ"]["T2_2"])) << name;
  }
}

TEST(VarianceComponents, RunsOfOneLengthAreTheBalancedCase) {
  const auto balanced = BalancedVarianceComponents({9, 5, 8, 3, 10, 6, 7, 11, 1, 12, 2, 4}, {3, 4});
  const std::vector<std::vector<double>> runs = {{9, 5, 8, 3}, {10, 6, 7, 11}, {1, 12, 2, 4}};
  const auto components = RunVarianceComponents(runs);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(components.s2[i], balanced.s2[i], 1e-13);
    EXPECT_NEAR(components.t2[i], balanced.t2[i], 1e-13);
  }
}

// Runs of 20 to 60 values with standard deviation 2, run effects with standard deviation 0.5.
TEST(VarianceComponents, AreUnbiasedForRunsOfDifferentLength) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  double within = 0;
  double between = 0;
  constexpr int kTrials = 1000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<std::vector<double>> runs(10);
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const double effect = 0.5 * normal(engine);
      runs[r].resize(20 + (r % 5) * 10);
      for (double& value : runs[r]) value = effect + 2 * normal(engine);
    }
    const auto components = RunVarianceComponents(runs);
    within += components.t2[0] / kTrials;
    between += components.t2[1] / kTrials;
  }
  EXPECT_NEAR(within, 4.0, 0.04);
  EXPECT_NEAR(between, 0.25, 0.02);  // sd of the mean 0.0056
}

TEST(OptimalRepetitions, WorkedExampleOfKaliberaAndJones) {
  const nlohmann::json golden = GoldenJson("kalibera_jones.json")["optimal_reps"];
  const auto components = BalancedVarianceComponents(
      Flat(golden["data"]), golden["reps"].get<std::vector<std::size_t>>());
  // Published with 4 to 9 digits.
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(components.t2[i], golden["T2"][i], 5e-5);
  std::vector<double> costs = golden["costs_high_to_low"];
  const std::vector<double> low_to_high(costs.rbegin(), costs.rend());
  const std::vector<double> repetitions = OptimalRepetitions(components.t2, low_to_high);
  ASSERT_EQ(repetitions.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(repetitions[i], golden["unrounded"][i], 5e-5);
    EXPECT_EQ(std::ceil(repetitions[i]), golden["rounded"][i].get<double>());
  }
}

TEST(OptimalRepetitions, WithoutVariance) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(OptimalRepetitions({1, -0.5}, {1, 10}), ElementsAre(infinity));
  EXPECT_THAT(OptimalRepetitions({0, 1}, {1, 10}), ElementsAre(0));
}

// The variance of the mean at a fixed time is least at I*: (T2 + T1/I) (c_run + I c_iter).
TEST(BestIterations, GivesTheLeastVarianceForTheTime) {
  VarianceComponents components;
  components.t2 = {4.0, 0.01};
  components.s2 = {4.0, 0.05};
  const double best = BestIterations(components, 0.02, 0.0001);
  EXPECT_DOUBLE_EQ(best, std::sqrt(0.02 / 0.0001 * 4.0 / 0.01));
  const auto loss = [](double i) { return (0.01 + 4.0 / i) * (0.02 + i * 0.0001); };
  EXPECT_LT(loss(best), loss(best * 1.1));
  EXPECT_LT(loss(best), loss(best / 1.1));
}

TEST(VarianceComponentsDeathTest, StopsOnWhatDoesNotFit) {
  EXPECT_DEATH(BalancedVarianceComponents({1, 2, 3}, {2, 2}), "product");
  EXPECT_DEATH(BalancedVarianceComponents({1, 2}, {2, 1}), "fewer than two repetitions");
  const std::vector<std::vector<double>> single = {{1}, {2}};
  EXPECT_DEATH(RunVarianceComponents(single), "single value");
}

}  // namespace
}  // namespace duetbench::stats
