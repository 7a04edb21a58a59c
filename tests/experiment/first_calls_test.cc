// Runs that cost more than was planned: the first iterations of a process, or its end, take longer
// than all of the measuring time.
#include "duetbench/experiment/experiment.h"
#include "duetbench/record/measuring_policy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::Not;

constexpr double kFirstNs = 0.7e9;

ExperimentOptions ThirdOfASecond() {
  ExperimentOptions options;
  options.min_time = 0.3;
  return options;
}

auto IsExpensive() { return Field(&Notice::kind, Notice::Kind::kExpensiveRuns); }

TEST(FirstCalls, SlowInEveryRunLimitTheExperimentToTheFewestRuns) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, LaunchedRun* launched) {
    launched->result().wall_ns = launcher.plans.back().budget_ns + kFirstNs;
    launched->wall_ns = launched->result().wall_ns + 3e6;
  };
  const Comparison result = RunExperiment(launcher, ThirdOfASecond());
  EXPECT_EQ(launcher.plans.size(), 1u + kMeasuringPolicy.fewest_runs);
  ASSERT_NE(result.estimate(), nullptr);
  EXPECT_THAT(result.notices, Contains(IsExpensive()));
}

TEST(FirstCalls, SlowOnlyAfterTheCalibrationLimitTheExperimentToTheFewestRuns) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int call, LaunchedRun* launched) {
    launched->result().wall_ns = launcher.plans.back().budget_ns + (call >= 1 ? kFirstNs : 0);
    launched->wall_ns = launched->result().wall_ns + 3e6;
  };
  const Comparison result = RunExperiment(launcher, ThirdOfASecond());
  EXPECT_EQ(launcher.plans.size(), 1u + kMeasuringPolicy.fewest_runs);
  ASSERT_EQ(result.notices.size(), 1u);
  EXPECT_EQ(result.notices[0].kind, Notice::Kind::kExpensiveRuns);
  EXPECT_EQ(result.notices[0].value[0], kMeasuringPolicy.fewest_runs);
  EXPECT_NEAR(result.notices[0].value[1], 0.7, 0.1);
}

// Whatever a run costs, an experiment takes no longer than the limit, and then the fewest runs.
TEST(FirstCalls, TheTimeOfAnExperimentIsBounded) {
  for (const double first_ns : {0.0, 1e6, 5e6, 20e6, 50e6, 0.2e9, 1e9, 10e9}) {
    for (const int from : {0, 1, 2, 3, 5}) {
      FakeLauncher launcher;
      double all_ns = 0;
      launcher.change = [&](int call, LaunchedRun* launched) {
        launched->result().wall_ns =
            launcher.plans.back().budget_ns + (call >= from ? first_ns : 0);
        launched->wall_ns = launched->result().wall_ns + 3e6;
        all_ns += launched->wall_ns;
      };
      const ExperimentOptions options = ThirdOfASecond();
      RunExperiment(launcher, options);
      const double least_ns = (kMeasuringPolicy.fewest_runs + 3) * (first_ns + 3e6);
      EXPECT_LE(all_ns,
                1.1 * kMeasuringPolicy.max_times_planned * options.min_time * 1e9 + least_ns)
          << first_ns << " from " << from;
    }
  }
}

TEST(FirstCalls, RunsThatAreDemandedAreMade) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, LaunchedRun* launched) {
    launched->result().wall_ns = launcher.plans.back().budget_ns + kFirstNs;
  };
  ExperimentOptions options = ThirdOfASecond();
  options.runs = 12;
  const Comparison result = RunExperiment(launcher, options);
  ASSERT_NE(result.estimate(), nullptr);
  EXPECT_EQ(result.estimate()->runs, 12);
}

// A machine that is busy is no reason for fewer runs.
TEST(FirstCalls, ShortDelaysAreNone) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, LaunchedRun* launched) {
    launched->result().wall_ns = 1.3 * launcher.plans.back().budget_ns + 2e6;
    launched->wall_ns = launched->result().wall_ns + 3e6;
  };
  ExperimentOptions options;
  const Comparison result = RunExperiment(launcher, options);
  ASSERT_NE(result.estimate(), nullptr);
  EXPECT_GT(result.estimate()->runs, kMeasuringPolicy.fewest_runs);
  EXPECT_THAT(result.notices, Not(Contains(IsExpensive())));
}

}  // namespace
}  // namespace duetbench
