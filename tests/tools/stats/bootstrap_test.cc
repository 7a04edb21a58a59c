#include "tools/stats/bootstrap.h"

#include <cmath>
#include <string>

#include "duetbench/record/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/golden.h"

namespace duetbench::stats {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::Le;

TEST(PercentileEnds, AgreeWithR) {
  const nlohmann::json golden = GoldenJson("boot_ratio.json");
  std::vector<double> replicates;
  for (const std::vector<double>& row : GoldenCsv("boot_ratio_tstar.csv")) {
    replicates.push_back(row[0]);
  }
  for (const std::string level : {"90", "95", "99"}) {
    const Ends ends = PercentileEnds(replicates, std::stod(level) / 100);
    ExpectGolden({ends.lo, ends.hi}, golden["ci" + level]["percent"], level);
  }
}

TEST(MeanReplicates, HaveTheMomentsOfResampledMeans) {
  const std::vector<double> values = {1, 2, 4, 8, 16, 32};
  Random random(3);
  const std::vector<double> means = MeanReplicates(values, 200000, random);
  EXPECT_THAT(means, Each(AllOf(Ge(1), Le(32))));
  const double variance = Variance(values) * 5 / 6 / 6;  // of the empirical distribution, over 6
  EXPECT_NEAR(Mean(means), Mean(values), 5 * std::sqrt(variance / 200000));
  EXPECT_NEAR(Variance(means) / variance, 1, 0.02);
}

double PopulationVariance(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  return Variance(values) * (n - 1) / n;
}

const std::vector<std::vector<double>>& Values() {
  static const auto* const kValues = new std::vector<std::vector<double>>{
      {1, 2, 3, 4}, {2, 2, 6, 6}, {0, 1, 1, 2}, {5, 5, 5, 9}, {3, 3, 3, 3}, {2, 4, 4, 8}};
  return *kValues;
}

std::vector<double> RunMeans() {
  std::vector<double> means;
  for (const std::vector<double>& values : Values()) means.push_back(Mean(values));
  return means;
}

double WithinVariance() {
  double sum = 0;
  for (const std::vector<double>& values : Values()) sum += PopulationVariance(values);
  return sum / 6;
}

constexpr std::size_t kReplicates = 200000;

TEST(HierarchicalReplicates, VaryLikeMachinesRunsAndIterations) {
  const std::vector<double> replicates =
      HierarchicalReplicates(Values(), {7, 7, 9, 9, 4, 4}, {kReplicates, 4});
  const std::vector<double> run_means = RunMeans();
  std::vector<double> machine_means;
  double between_runs = 0;
  for (std::size_t m = 0; m < 3; ++m) {
    const std::vector<double> pair = {run_means[2 * m], run_means[2 * m + 1]};
    machine_means.push_back(Mean(pair));
    between_runs += PopulationVariance(pair) / 3;
  }
  const double variance =
      (PopulationVariance(machine_means) + (between_runs + WithinVariance() / 4) / 2) / 3;
  EXPECT_NEAR(Variance(replicates) / variance, 1, 0.02);
}

TEST(QuantileBootCi, IsAnOrderStatisticAtAWholePosition) {
  const std::vector<double> squares = {1, 4, 9, 16, 25};
  EXPECT_EQ(QuantileBootCi(squares, 0.5), 9);
  EXPECT_EQ(QuantileBootCi(squares, 1.0 / 3), 4);
  EXPECT_EQ(QuantileBootCi(squares, 0), 1);
  EXPECT_EQ(QuantileBootCi(squares, 1), 25);
  EXPECT_EQ(QuantileBootCi(std::vector<double>{7}, 0.3), 7);
  // Between them it interpolates in the normal quantile, symmetrically about the median.
  const std::vector<double> symmetric = {-2, -1, 0, 1, 2};
  EXPECT_DOUBLE_EQ(QuantileBootCi(symmetric, 0.4), -QuantileBootCi(symmetric, 0.6));
  EXPECT_NE(QuantileBootCi(symmetric, 0.4), -0.6);  // linear in the position
  EXPECT_EQ(QuantileBootCi(symmetric, 0.01), -2);
  EXPECT_EQ(QuantileBootCi(symmetric, 0.99), 2);
}

}  // namespace
}  // namespace duetbench::stats
