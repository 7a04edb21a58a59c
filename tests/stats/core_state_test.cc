#include "duetbench/stats/core_state.h"

#include <cmath>
#include <random>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/stats/decision.h"
#include "duetbench/stats/decision_policy.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

constexpr double kLog105 = 0.04879016416943205;

// Runs of a true ratio of 1.05. In each the core is `changes` times a standard normal number slower
// for new than for old, which slows new down by `slope` of that.
std::vector<RunValue> Runs(int count, double changes, double slope, int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::normal_distribution<double> normal;
  std::vector<RunValue> runs(static_cast<std::size_t>(count));
  for (RunValue& run : runs) {
    const double change = changes * normal(random);
    run.log_probe_ratio = change + 0.001 * normal(random);
    run.log_ratio = kLog105 + slope * change + 0.005 * normal(random);
    run.pairs = 100;
  }
  return runs;
}

double HalfWidth(const Decision& decision) {
  return std::log(decision.interval.hi / decision.interval.lo) / 2;
}

TEST(LogProbeRatio, IsThatOfTheTypicalPair) {
  const RunPairs run = {{1, 3, 0, 0, 1.5}, {1, 3, 1, 0, 1.5}};
  EXPECT_DOUBLE_EQ(LogProbeRatio(run, Estimator::kTrimmed), std::log(1.5));
}

TEST(LogProbeRatio, IsUnknownWhereAPairHasNone) {
  const RunPairs run = {{1, 3, 0, 0, 1.5}, {1, 3, 1}};
  EXPECT_TRUE(std::isnan(LogProbeRatio(run, Estimator::kTrimmed)));
}

TEST(CoreState, IsTakenOutOfTheLogRatios) {
  std::vector<RunValue> runs;
  for (const double change : {0.5, -0.5, 0.5, -0.5, 0.0, 0.0, 0.7, 0.3}) {
    RunValue& run = runs.emplace_back();
    run.log_probe_ratio = change;
    run.log_ratio = kLog105 + 0.8 * change;
  }
  const std::optional<CoreState> state = RemoveCoreState(&runs);
  ASSERT_TRUE(state.has_value());
  EXPECT_NEAR(state->slope, 0.8, 1e-12);
  EXPECT_NEAR(state->explained, 1, 1e-12);
  for (const RunValue& run : runs) EXPECT_NEAR(run.log_ratio, kLog105, 1e-12);
}

TEST(CoreState, ThatChangesBetweenBlocksNoLongerWidensTheInterval) {
  const Decision decision = Decide(Runs(18, 0.5, 1, 1), {}).value();
  ASSERT_TRUE(decision.core_state.has_value());
  EXPECT_GT(decision.core_state->explained, 0.99);
  EXPECT_LT(HalfWidth(decision), 0.01);
  EXPECT_EQ(decision.verdict, Verdict::kSlower);
  std::vector<RunValue> without_probes = Runs(18, 0.5, 1, 1);
  for (RunValue& run : without_probes) run.log_probe_ratio = std::nan("");
  EXPECT_GT(HalfWidth(Decide(without_probes, {}).value()), 0.3);
}

TEST(CoreState, IsNotLookedForWhereARunHasNoProbe) {
  std::vector<RunValue> runs = Runs(18, 0.5, 1, 1);
  runs[17].log_probe_ratio = std::nan("");
  EXPECT_FALSE(RemoveCoreState(&runs).has_value());
}

TEST(CoreState, IsNotLookedForInFewRuns) {
  const auto least = static_cast<int>(kDecision.min_runs_of_core_state);
  std::vector<RunValue> too_few = Runs(least - 1, 0.5, 1, 1);
  EXPECT_FALSE(RemoveCoreState(&too_few).has_value());
  std::vector<RunValue> enough = Runs(least, 0.5, 1, 1);
  EXPECT_TRUE(RemoveCoreState(&enough).has_value());
}

// A core that is slower for new does not make it faster.
TEST(CoreState, DoesNotExplainTheOppositeOfItself) {
  std::vector<RunValue> runs = Runs(18, 0.5, -1, 1);
  EXPECT_FALSE(RemoveCoreState(&runs).has_value());
}

// Of intervals at 99 %, each number of runs and each slope apart.
TEST(CoreState, LeavesTheCoverageOfIntervals) {
  constexpr int kExperiments = 2000;
  for (const int count : {8, 18}) {
    for (const double slope : {0.0, 0.3, 1.0}) {
      int misses = 0;
      int changed = 0;
      for (int i = 0; i < kExperiments; ++i) {
        const Decision decision = Decide(Runs(count, 0.1, slope, i), {}).value();
        misses += std::abs(std::log(decision.interval.ratio) - kLog105) > HalfWidth(decision);
        changed += decision.core_state.has_value() ? 1 : 0;
      }
      RecordProperty("misses", misses);
      EXPECT_LE(misses, 36) << count << " runs, slope " << slope
                            << "; more than 36 of 2,000 have p = 0.001 at 1 %";
      if (slope == 0) {
        EXPECT_LE(changed, 23) << "of one side: 0.5 %, p = 0.001";
      } else {
        EXPECT_GT(changed, kExperiments / 2);
      }
    }
  }
}

}  // namespace
}  // namespace duetbench::stats
