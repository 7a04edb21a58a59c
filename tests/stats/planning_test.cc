#include "duetbench/stats/planning.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "duetbench/stats/interval.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/stats/golden.h"

namespace duetbench::stats {
namespace {

using ::testing::Each;

TEST(EffectSize, ConstantsToRemember) {
  EXPECT_NEAR(ExactEffectSize(5), 2.204, 5e-4);
  EXPECT_NEAR(ExactEffectSize(10), 1.286, 5e-4);
  EXPECT_NEAR(ExactEffectSize(20), 0.850, 5e-4);
  EXPECT_NEAR(ExactEffectSize(30), 0.681, 5e-4);
}

// power.t.test solves for the effect by uniroot with an absolute tolerance of 2^-13 = 1.2e-4 in the
// unit of the data, so its effects cannot be held to more digits than that. Its numbers of runs are
// accurate to the same tolerance in runs.
TEST(EffectSize, ExactOneAgreesWithR) {
  constexpr double kTolerance = 1.3e-4;
  for (const auto& row : GoldenCsv("power_mde.csv")) {
    const double sd = row[1];
    const Detection detection{row[3], row[2]};
    EXPECT_NEAR(ExactEffectSize(row[0], detection) * sd, row[4], kTolerance);
    EXPECT_NEAR(ExactRunsNeeded(0.02 / sd, detection), row[5], kTolerance);
  }
}

// The same rows without the tolerance of uniroot: our solution reproduces the power asked for.
TEST(EffectSize, ExactOneReproducesThePower) {
  for (const auto& row : GoldenCsv("power_mde.csv")) {
    const Detection detection{row[3], row[2]};
    EXPECT_THAT(TTestPower(row[0], ExactEffectSize(row[0], detection), detection.alpha),
                MatchesGolden(detection.power));
    EXPECT_THAT(TTestPower(ExactRunsNeeded(2, detection), 2, detection.alpha),
                MatchesGolden(detection.power));
  }
}

TEST(TTestPower, AgreesWithTheNonCentralTOfR) {
  const nlohmann::json golden = GoldenJson("distributions.json")["nct"];
  // q are the 97.5 % and 99.5 % quantiles, rounded to six decimals.
  const double alphas[] = {0.05, 0.05, 0.01};
  for (std::size_t i = 0; i < 3; ++i) {
    const double runs = golden["df"][i].get<double>() + 1;
    const double d = golden["ncp"][i].get<double>() / std::sqrt(runs);
    EXPECT_NEAR(TTestPower(runs, d, alphas[i]), 1 - golden["p"][i].get<double>(), 3e-7);
  }
}

TEST(TTestPower, GoesToOneAndFromAlphaHalf) {
  EXPECT_NEAR(TTestPower(10, 0, 0.05), 0.025, 1e-12);
  EXPECT_DOUBLE_EQ(TTestPower(10, 1e9, 0.05), 1.0);
  EXPECT_NEAR(TTestPower(2, 9999 / std::sqrt(2), 1e-5), TTestPower(2, 10001 / std::sqrt(2), 1e-5),
              1e-3);
}

// The figures that the header states.
TEST(EffectSize, ApproximationIsTooSmallForFewRuns) {
  const auto relative = [](int runs, double alpha) {
    return EffectSize(runs, {alpha, 0.95}) / ExactEffectSize(runs, {alpha, 0.95}) - 1;
  };
  EXPECT_NEAR(relative(4, 0.05), -0.02, 0.005);
  for (const int runs : {5, 7, 10, 20, 100}) EXPECT_NEAR(relative(runs, 0.05), 0, 0.01) << runs;
  EXPECT_NEAR(relative(4, 0.01), -0.16, 0.005);
  EXPECT_NEAR(relative(5, 0.01), -0.10, 0.005);
  EXPECT_NEAR(relative(7, 0.01), -0.06, 0.005);
  EXPECT_NEAR(relative(10, 0.01), -0.03, 0.005);
  EXPECT_NEAR(relative(20, 0.01), -0.01, 0.005);
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

TEST(RunsNeeded, IsTheSmallestThatSuffices) {
  for (const double spread : {0.0005, 0.005, 0.02}) {
    for (const double slowdown : {0.002, 0.01, 0.05}) {
      const int runs = RunsNeeded(spread, slowdown);
      EXPECT_LE(MinimalDetectableSlowdown(spread, runs), slowdown * (1 + 1e-12));
      if (runs > 2) {
        EXPECT_GT(MinimalDetectableSlowdown(spread, runs - 1), slowdown);
      }
    }
  }
  EXPECT_EQ(RunsNeeded(0, 0.01), 2);
  EXPECT_EQ(RunsNeeded(1, 0.001, {}, 50), 51);
}

// The promise of the plan is kept: normal runs, the t interval at 95 %, power 95 %.
TEST(RunsNeeded, FindTheSlowdownAsOftenAsPromised) {
  std::mt19937_64 engine(6);
  std::normal_distribution<double> normal;
  const double spread = 0.01;
  const double slowdown = 0.012;
  const int runs = RunsNeeded(spread, slowdown);
  int found = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values(static_cast<std::size_t>(runs));
    for (double& value : values) value = std::log1p(slowdown) + spread * normal(engine);
    if (TInterval(values, 0.95)->lo > 1) ++found;
  }
  EXPECT_GE(found, 0.94 * kTrials);
  EXPECT_LE(found, 0.975 * kTrials);
}

VarianceComponents Components(double within, double between) {
  VarianceComponents components;
  components.mean = 0;
  components.s2 = {within, between};
  components.t2 = {within, between};
  return components;
}

TEST(CheapestPlan, IsNoWorseThanItsNeighbours) {
  const VarianceComponents components = Components(4e-4, 1e-5);
  const Costs costs{0.02, 0.001};
  const Plan plan = CheapestPlan(components, costs, 0.002, {}, 2);
  EXPECT_NEAR(plan.iterations, std::sqrt(0.02 / 0.001 * 4e-4 / 1e-5), 1);
  EXPECT_DOUBLE_EQ(plan.seconds, plan.runs * (0.02 + plan.iterations * 0.001));
  for (const int iterations : {plan.iterations / 3, plan.iterations * 3}) {
    const int runs = RunsNeeded(std::sqrt(1e-5 + 4e-4 / iterations), 0.002);
    EXPECT_GE(runs * (0.02 + iterations * 0.001), plan.seconds);
  }
}

TEST(CheapestPlan, WithoutRunEffectPutsTheTimeIntoIterations) {
  const Plan plan = CheapestPlan(Components(4e-4, -1e-6), {0.02, 0.001}, 0.002);
  EXPECT_EQ(plan.runs, 10);
  EXPECT_LE(MinimalDetectableSlowdown(std::sqrt(4e-4 / plan.iterations), 10), 0.002);
  EXPECT_GT(MinimalDetectableSlowdown(std::sqrt(4e-4 / (plan.iterations - 1)), 10), 0.002);
}

TEST(CheapestPlan, EasyCasesTakeTheFewestRunsAndIterations) {
  const Plan plan = CheapestPlan(Components(1e-8, 1e-10), {0.02, 0.001}, 0.05);
  EXPECT_EQ(plan.runs, 10);
  EXPECT_EQ(plan.iterations, 2);
}

TEST(ResampleMds, AgreesWithTheFormulaWithinAStepOfItsList) {
  std::mt19937_64 engine(11);
  std::normal_distribution<double> normal;
  int usable = 0;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> runs(30);
    for (double& value : runs) value = 0.02 + 0.01 * normal(engine);
    const auto resampled = ResampleMds(runs, {}, static_cast<std::uint64_t>(trial));
    ASSERT_TRUE(resampled.ok());
    if (std::isinf(resampled->slowdown)) continue;
    ++usable;
    // MDS(30) = 0.69 % for s = 1 %: 0.5 % is too little, 1 % is on the list, s varies by 13 %.
    EXPECT_GE(resampled->slowdown, 0.005);
    EXPECT_LE(resampled->slowdown, 0.01);
  }
  EXPECT_GE(usable, 18);
}

TEST(ResampleMds, DependsOnTheSeedOnly) {
  const std::vector<double> runs = {0.01, -0.02, 0.005, 0.03, -0.01};
  EXPECT_EQ(ResampleMds(runs, {}, 1)->detections, ResampleMds(runs, {}, 1)->detections);
  EXPECT_NE(ResampleMds(runs, {}, 1)->detections, ResampleMds(runs, {}, 2)->detections);
}

TEST(ResampleMds, DoesNotDependOnTheEffect) {
  const std::vector<double> runs = {0.25, -0.5, 0.125, 0.75, -0.25};
  std::vector<double> slower = runs;
  for (double& value : slower) value += 2;
  EXPECT_EQ(ResampleMds(runs, {}, 1)->detections, ResampleMds(slower, {}, 1)->detections);
}

TEST(ResampleMds, FindsNothingWhenTooManyFalseAlarmsAreRaised) {
  ResampledMdsOptions options;
  options.false_alarms_allowed = -1;
  const auto result = ResampleMds({0.01, -0.02, 0.005, 0.03}, options, 1);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->slowdown, std::numeric_limits<double>::infinity());
}

TEST(ResampleMds, RunsWithoutSpreadFindEverything) {
  const auto result = ResampleMds({0.5, 0.5, 0.5}, {}, 1);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->false_alarms, 0);
  EXPECT_THAT(result->detections, Each(100));
  EXPECT_EQ(result->slowdown, 0.001);
}

TEST(ResampleMds, RefusesTooFewRuns) {
  EXPECT_EQ(ResampleMds({0.1, 0.2}, {}, 1).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ResampleMds({0.1, 0.2, NAN}, {}, 1).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(PlanningDeathTest, StopsOutsideItsRange) {
  EXPECT_DEATH(EffectSize(1), "two runs");
  EXPECT_DEATH(EffectSize(5, {0.05, 0.3}), "power");
  EXPECT_DEATH(RunsNeeded(0.1, 0), "slowdown > 0");
}

}  // namespace
}  // namespace duetbench::stats
