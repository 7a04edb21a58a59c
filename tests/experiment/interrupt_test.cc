// An experiment that the user ends, and the progress that he sees.
#include <utility>
#include <vector>

#include "duetbench/experiment/experiment.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"
#include "tests/experiment/measure.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

TEST(RunExperiment, AnInterruptReportsWhatHasBeenMeasured) {
  FakeLauncher launcher;
  launcher.change = [](int call, RunOfPairs* launched) {
    if (call < 5) return;
    launched->front() = RunResult();
    launched->front().interrupted = true;
  };
  const Comparison comparison = Measure(launcher, Runs(10));
  EXPECT_EQ(launcher.plans.size(), 6u);
  EXPECT_TRUE(comparison.interrupted);
  ASSERT_TRUE(comparison.has_ratio());
  EXPECT_EQ(comparison.runs, 4);
  EXPECT_EQ(comparison.runs_planned, 10);
}

TEST(RunExperiment, ARunThatWasOutOfTimeIsLaunchedAgain) {
  const Machine machine = TwoCpus();
  Experiment experiment(Runs(10), machine);
  const RunPlan first = *experiment.Next();
  RunOfPairs ended(1);
  ended.front().out_of_time = true;
  ended.front().process_ns = 3e9;
  experiment.Take(ended);
  ASSERT_NE(experiment.Next(), nullptr);
  EXPECT_EQ(experiment.Next()->is_pilot, first.is_pilot);
  EXPECT_EQ(experiment.Next()->run, first.run);
  EXPECT_EQ(experiment.done(), 0);
  EXPECT_EQ(experiment.prospect().spent_s, 3);
  EXPECT_GT(experiment.prospect().run_s, 3);
}

TEST(RunExperiment, AnInterruptAfterOneRunHasNoVerdict) {
  FakeLauncher launcher;
  launcher.change = [](int call, RunOfPairs* launched) {
    launched->front().interrupted = call >= 2;
  };
  const Comparison comparison = Measure(launcher, Runs(10));
  EXPECT_TRUE(comparison.interrupted);
  ASSERT_TRUE(comparison.has_ratio());
  EXPECT_EQ(comparison.why, stats::Why::kOneRun);
}

TEST(RunExperiment, AnInterruptBeforeAResultSaysSo) {
  for (const int at : {0, 1}) {
    FakeLauncher launcher;
    launcher.change = [&](int call, RunOfPairs* launched) {
      if (call < at) return;
      launched->front() = RunResult();
      launched->front().interrupted = true;
    };
    const Comparison comparison = Measure(launcher);
    EXPECT_EQ(launcher.plans.size(), static_cast<size_t>(at) + 1);
    ASSERT_TRUE(comparison.has_failed());
    EXPECT_THAT(comparison.failure.error.cause, HasSubstr("interrupted"));
  }
}

TEST(RunExperiment, ProgressCountsUpAndTheTimeLeftDown) {
  FakeLauncher launcher;
  ExperimentOptions options;
  options.runs = 4;
  options.min_time = 2;
  options.schedule = Schedule::kDuet;
  std::vector<std::pair<int, int>> calls;
  std::vector<double> left;
  RunExperiment(options, TwoCpus(), launcher.Launcher(), [&](int done, int runs, double seconds) {
    // Before each run: as many have been launched, the pilot counted, as calls have been made.
    EXPECT_EQ(launcher.plans.size(), calls.size());
    calls.emplace_back(done, runs);
    left.push_back(seconds);
  });
  EXPECT_EQ(calls, (std::vector<std::pair<int, int>>{{0, 4}, {0, 4}, {1, 4}, {2, 4}, {3, 4}}));
  const double after_pilot = 2 - launcher.wall_ns * 1e-9;
  ASSERT_EQ(left.size(), 5u);
  EXPECT_EQ(left[0], 2);
  for (size_t run = 0; run < 4; ++run) {
    EXPECT_NEAR(left[run + 1], after_pilot * (1 - 0.25 * static_cast<double>(run)), 1e-9);
  }
}

TEST(Experiment, AnInterruptBetweenRunsKeepsThem) {
  const Machine machine = TwoCpus();
  const ExperimentOptions options;
  FakeLauncher launcher;
  Experiment experiment(options, machine);
  while (experiment.done() < 7) experiment.Take(launcher.Launcher()(*experiment.Next()));
  experiment.Interrupt();
  EXPECT_EQ(experiment.Next(), nullptr);
  const Comparison result = std::move(experiment.Finish().front());
  ASSERT_TRUE(result.has_ratio());
  EXPECT_EQ(result.runs, 7);
  EXPECT_GT(result.runs_planned, 7);
  EXPECT_TRUE(result.interrupted);
}

}  // namespace
}  // namespace duetbench
