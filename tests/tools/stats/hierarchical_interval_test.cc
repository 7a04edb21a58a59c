#include "tools/stats/hierarchical_interval.h"

#include <cmath>
#include <utility>
#include <vector>

#include "duetbench/stats/random.h"
#include "duetbench/stats/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/stats/compute_interval.h"

namespace duetbench::stats {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

double PopulationVariance(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  return Variance(values) * (n - 1) / n;
}

const std::vector<std::vector<double>>& Values() {
  static const auto* const kValues = new std::vector<std::vector<double>>{
      {1, 2, 3, 4}, {2, 2, 6, 6}, {0, 1, 1, 2}, {5, 5, 5, 9}, {3, 3, 3, 3}, {2, 4, 4, 8}};
  return *kValues;
}

std::vector<ResampledRun> Prepared() {
  std::vector<ResampledRun> runs;
  for (const std::vector<double>& values : Values()) runs.emplace_back(values);
  return runs;
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

TEST(HierarchicalReplicates, VaryLikeRunsAndIterations) {
  const std::vector<double> replicates = HierarchicalReplicates(Prepared(), {}, {kReplicates, 3});
  const double variance = (PopulationVariance(RunMeans()) + WithinVariance() / 4) / 6;
  EXPECT_NEAR(Mean(replicates), Mean(RunMeans()), 5 * std::sqrt(variance / kReplicates));
  EXPECT_NEAR(Variance(replicates) / variance, 1, 0.02);
}

TEST(HierarchicalReplicates, VaryLikeMachinesRunsAndIterations) {
  const std::vector<double> replicates =
      HierarchicalReplicates(Prepared(), {7, 7, 9, 9, 4, 4}, {kReplicates, 4});
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

TEST(HierarchicalReplicates, DependOnTheSeedOnly) {
  const std::vector<double> first = HierarchicalReplicates(Prepared(), {}, {100, 3});
  EXPECT_THAT(HierarchicalReplicates(Prepared(), {}, {100, 3}), ElementsAreArray(first));
  EXPECT_THAT(HierarchicalReplicates(Prepared(), {5, 5, 5, 5, 5, 5}, {100, 3}),
              ElementsAreArray(first));
  EXPECT_NE(HierarchicalReplicates(Prepared(), {}, {100, 4}), first);
}

std::vector<RunPairs> Experiment(std::size_t runs, double run_spread) {
  Random random(6);
  std::vector<RunPairs> experiment(runs);
  for (RunPairs& run : experiment) {
    const double level = run_spread * (random.Uniform() - 0.5);
    for (int i = 0; i < 40; ++i) {
      run.push_back({1, std::exp(level + 0.1 * (random.Uniform() - 0.5)), i / 10 % 2});
    }
  }
  return experiment;
}

TEST(HierarchicalInterval, IsAsWideAsThePercentileIntervalWhenRunsDominate) {
  const std::vector<RunPairs> runs = Experiment(12, 0.5);
  const RatioInterval hierarchical = HierarchicalInterval(runs, Estimator::kTrimmed, 0.95).value();
  IntervalOptions options;
  options.kind = IntervalKind::kPercentile;
  options.level = 0.95;
  const RatioInterval percentile = ComputeInterval(runs, options).value();
  EXPECT_EQ(hierarchical.ratio, percentile.ratio);
  EXPECT_NEAR(std::log(hierarchical.hi / hierarchical.lo) / std::log(percentile.hi / percentile.lo),
              1, 0.05);
}

TEST(HierarchicalInterval, WarnsByTheNumberOfTopLevelUnits) {
  EXPECT_THAT(HierarchicalInterval(Experiment(30, 0.1), Estimator::kGeomean, 0.95, {200, 1})
                  .value()
                  .warning,
              IsEmpty());
  const std::vector<int> three_machines = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2,
                                           2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
  EXPECT_THAT(
      HierarchicalInterval(Experiment(30, 0.1), Estimator::kGeomean, 0.95, {200, 1}, three_machines)
          .value()
          .warning,
      HasSubstr("not enough runs"));
}

TEST(HierarchicalIntervalDeathTest, EachRunHasOneMachine) {
  EXPECT_DEATH(HierarchicalReplicates(Prepared(), {1, 2}, {10, 1}), "each run has one machine");
}

}  // namespace
}  // namespace duetbench::stats
