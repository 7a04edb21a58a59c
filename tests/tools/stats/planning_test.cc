#include "tools/stats/planning.h"

#include <cmath>
#include <limits>
#include <random>

#include "duetbench/record/robust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/golden.h"
#include "tools/stats/compute_interval.h"

namespace duetbench::stats {
namespace {

TEST(VarianceComponents, AgreeWithR) {
  const nlohmann::json golden = GoldenJson("kalibera_jones.json")["two_level"];
  const auto y = golden["y"].get<std::vector<double>>();  // three runs of four values
  std::vector<std::vector<double>> runs;
  for (std::size_t i = 0; i < y.size(); i += 4) {
    runs.emplace_back(y.begin() + static_cast<std::ptrdiff_t>(i),
                      y.begin() + static_cast<std::ptrdiff_t>(i) + 4);
  }
  const VarianceComponents components = RunVarianceComponents(runs);
  EXPECT_THAT(components.s1_2, MatchesGolden(golden["S1_2"]));
  EXPECT_THAT(components.s2_2, MatchesGolden(golden["S2_2"]));
  EXPECT_THAT(components.t2_2, MatchesGolden(golden["T2_2"]));
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
    within += components.s1_2 / kTrials;
    between += components.t2_2 / kTrials;
  }
  EXPECT_NEAR(within, 4.0, 0.04);
  EXPECT_NEAR(between, 0.25, 0.02);  // sd of the mean 0.0056
}

// The variance of the mean at a fixed time is least at I*: (T2 + T1/I) (c_run + I c_iter).
TEST(BestPairsPerRun, GivesTheLeastVarianceForTheTime) {
  const VarianceComponents components{4.0, 0.05, 0.01};
  const double best = BestPairsPerRun(components, 0.02, 0.0001);
  EXPECT_DOUBLE_EQ(best, std::sqrt(0.02 / 0.0001 * 4.0 / 0.01));
  const auto loss = [](double i) { return (0.01 + 4.0 / i) * (0.02 + i * 0.0001); };
  EXPECT_LT(loss(best), loss(best * 1.1));
  EXPECT_LT(loss(best), loss(best / 1.1));
}

TEST(BestPairsPerRun, WithoutVariance) {
  EXPECT_EQ(BestPairsPerRun({1, 1, -0.5}, 10, 1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(BestPairsPerRun({0, 1, 1}, 10, 1), 0);
}

// Planning of runs with the costs of a run and a pair.
Planning PlanOf(const std::vector<RunPairs>& runs, double level = 0.99, double run_cost_s = 0.1) {
  Planning costs;
  costs.run_cost_s = run_cost_s;
  costs.pair_cost_s = 1e-3;
  return Plan(runs, RunLogRatios(runs, Estimator::kTrimmed).value(), level, costs);
}

TEST(Plan, DetectableSlowdownFollowsTheLevel) {
  const std::vector<RunPairs> runs = GoldenRuns("duet_r10.csv");
  const Planning planning = PlanOf(runs, 0.95);
  const double spread = StandardDeviation(RunLogRatios(runs, Estimator::kTrimmed).value());
  // (t_{.975,9} + t_{.95,9}) / sqrt(10); R: (qt(.975, 9) + qt(.95, 9)) / sqrt(10)
  EXPECT_NEAR(*planning.mds, std::expm1(1.2950368 * spread), 1e-7);
  EXPECT_GT(*planning.mds_upper, 1.4 * *planning.mds);
  EXPECT_GT(*PlanOf(runs, 0.99).mds, *planning.mds);
}

TEST(Plan, SaysNothingOfWhatTheDataDoNotTell) {
  const Planning one_run = PlanOf({{{1, 2, 0}, {1, 2.1, 0}}});
  EXPECT_FALSE(one_run.s1_2.has_value() || one_run.mds.has_value());
  const Planning single_pairs = PlanOf({{{1, 2, 0}}, {{1, 2.1, 0}}});
  EXPECT_FALSE(single_pairs.s1_2.has_value());
  EXPECT_TRUE(single_pairs.mds.has_value());
}

// The effects that power.t.test of R finds at 95 % power, and what the header states of them.
TEST(EffectSize, IsTooSmallForFewRuns) {
  constexpr double kExact[] = {2.204, 1.286, 0.850, 0.681};
  constexpr int kRuns[] = {5, 10, 20, 30};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(EffectSize(kRuns[i]) / kExact[i] - 1, 0, 0.01) << kRuns[i];
  }
  // power.t.test solves to an absolute 2^-13 in the unit of the data.
  for (const auto& row : GoldenCsv("power_mde.csv")) {
    if (row[0] < 10) continue;
    EXPECT_NEAR(EffectSize(static_cast<int>(row[0]), {row[3], row[2]}) * row[1], row[4],
                1.3e-4 + 0.03 * row[4]);
  }
}

TEST(MinimalDetectableSlowdown, IsTheFormula) {
  // t_{0.975,9} = 2.262157, t_{0.95,9} = 1.833113.
  EXPECT_NEAR(MinimalDetectableSlowdown(0.01, 10),
              std::exp((2.26215716 + 1.83311293) * 0.01 / std::sqrt(10.0)) - 1, 1e-9);
  EXPECT_EQ(MinimalDetectableSlowdown(0, 10), 0.0);
}

TEST(UpperSpread, IsTheLimitOfChiSquare) {
  EXPECT_NEAR(UpperSpread(1, 10), std::sqrt(9 / 4.168159), 1e-6);  // qchisq(0.1, 9)
  EXPECT_GT(UpperSpread(1, 3), UpperSpread(1, 30));
}

TEST(UpperSpread, CoversTheSpreadInNineOfTen) {
  std::mt19937_64 engine(4);
  std::normal_distribution<double> normal;
  int covered = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    double squares = 0;
    for (int i = 0; i < 9; ++i) {
      const double z = normal(engine);
      squares += z * z;
    }
    if (UpperSpread(std::sqrt(squares / 9), 10) >= 1) ++covered;
  }
  EXPECT_NEAR(covered, 3600, 63);  // 3.3 standard deviations
}

TEST(DetectionDeathTest, StopsOutsideItsRange) {
  EXPECT_DEATH(EffectSize(1), "two runs");
  EXPECT_DEATH(EffectSize(5, {0.05, 0.3}), "power");
}

}  // namespace
}  // namespace duetbench::stats
