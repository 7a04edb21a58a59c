#include "duetbench/experiment/experiment.h"

#include <algorithm>
#include <cstdint>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"
#include "tests/experiment/measure.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

TEST(RunExperiment, APilotCalibratesForAllRuns) {
  FakeLauncher launcher;
  const Comparison comparison = Measure(launcher, Runs(5, 2));
  ASSERT_EQ(launcher.plans.size(), 6u);
  EXPECT_EQ(launcher.plans[0].batch, 0u);
  EXPECT_EQ(launcher.plans[0].budget_ns, 0);
  for (uint32_t run = 0; run < 5; ++run) {
    const RunPlan& plan = launcher.plans[run + 1];
    EXPECT_EQ(plan.run, run);
    EXPECT_EQ(plan.batch, kBatch);
    EXPECT_EQ(plan.sample_ns, kSampleNs);
    EXPECT_NEAR(plan.budget_ns, (2e9 - 6 * launcher.wall_ns) / 5 - kWarmUpNs, 1)
        << "starts are counted";
  }
  ASSERT_TRUE(comparison.has_ratio());
  EXPECT_EQ(comparison.runs_planned, 5);
  EXPECT_EQ(comparison.runs, 5);
  EXPECT_EQ(comparison.pairs, 100u) << "the pilot is not in the estimate";
  EXPECT_EQ(comparison.batch, kBatch);
  EXPECT_NEAR(comparison.interval.ratio, 1.0502, 1e-6);
  EXPECT_NEAR(comparison.time_ns[0], 50, 1e-5) << "two ticks are a nanosecond";
  EXPECT_FALSE(comparison.interrupted);
}

TEST(RunExperiment, RunsKnowWhenTheyBegan) {
  FakeLauncher launcher;
  const std::vector<RunResult> results = Measure(launcher, Runs(3)).results;
  ASSERT_EQ(results.size(), 3u);
  EXPECT_GE(results[0].start_s, 0);
  EXPECT_GT(results[1].start_s, results[0].start_s);
  EXPECT_GT(results[2].start_s, results[1].start_s);
}

TEST(RunExperiment, ALauncherThatSimulatesRunsHasItsOwnClock) {
  FakeLauncher launcher;
  launcher.change = [](int call, RunOfPairs* launched) { launched->front().start_s = 100 + call; };
  EXPECT_EQ(Measure(launcher, Runs(2)).results[1].start_s, 102);
}

TEST(RunExperiment, OneRunCalibratesItself) {
  FakeLauncher launcher;
  const Comparison comparison = Measure(launcher, Runs(1, 0.5));
  ASSERT_EQ(launcher.plans.size(), 1u);
  EXPECT_EQ(launcher.plans[0].batch, 0u);
  EXPECT_EQ(launcher.plans[0].budget_ns, 0.5e9);
  ASSERT_TRUE(comparison.has_ratio());
  EXPECT_EQ(comparison.why, stats::Why::kOneRun);
}

TEST(RunExperiment, AVariantThatStartsThreadsAndTakesNextToNoTimeMayNotWait) {
  for (const bool waits : {false, true}) {
    FakeLauncher launcher;
    launcher.change = [&](int, RunOfPairs* launched) {
      launched->front().started_threads[0] = launched->front().started_threads[1] = 1;
      for (PairRecord& pair : launched->front().pairs) {
        pair.ticks[1] = waits ? pair.ticks[0] : pair.ticks[0] / 500;
      }
    };
    const Comparison result = Measure(launcher, Runs(5));
    const auto& notices = result.notices;
    EXPECT_EQ(std::count_if(notices.begin(), notices.end(),
                            [](const Notice& notice) {
                              return notice.kind == Notice::Kind::kMayNotWait &&
                                     notice.value[0] == 1;
                            }),
              waits ? 0 : 1);
  }
}

TEST(RunExperiment, AFailingPilotEndsTheExperiment) {
  FakeLauncher launcher;
  launcher.change = [](int, RunOfPairs* launched) { launched->front().error = {1, "threw int"}; };
  const Comparison comparison = Measure(launcher);
  ASSERT_TRUE(comparison.has_failed());
  EXPECT_EQ(launcher.plans.size(), 1u);
  EXPECT_EQ(comparison.failure.error.variant, 1);
  EXPECT_EQ(comparison.failure.error.cause, "threw int");
  EXPECT_EQ(comparison.failure.run, 0);
}

TEST(RunExperiment, AFailingRunEndsTheExperimentWithItsNumber) {
  FakeLauncher launcher;
  launcher.change = [](int call, RunOfPairs* launched) {
    if (call == 4) launched->front().error = {0, "crashed"};
  };
  const Comparison comparison = Measure(launcher);
  ASSERT_TRUE(comparison.has_failed());
  EXPECT_EQ(launcher.plans.size(), 5u);
  EXPECT_EQ(comparison.failure.error.variant, 0);
  EXPECT_EQ(comparison.failure.error.cause, "crashed");
  EXPECT_EQ(comparison.failure.run, 3);
}

TEST(RunExperiment, WhereThereAreNoRunsTheLauncherSaysWhy) {
  for (const int from : {0, 3}) {
    FakeLauncher launcher;
    launcher.unavailable_from = from;
    const Comparison comparison = Measure(launcher);
    ASSERT_TRUE(comparison.has_failed());
    EXPECT_EQ(launcher.plans.size(), static_cast<size_t>(from) + 1);
    EXPECT_EQ(comparison.failure.error.variant, -1);
    EXPECT_THAT(comparison.failure.error.cause, HasSubstr("no more processes"));
  }
}

TEST(RunExperiment, ADryRunIsOneIterationOfEachAndNoEstimate) {
  FakeLauncher launcher;
  launcher.change = [](int, RunOfPairs* launched) { launched->front().pairs.resize(1); };
  ExperimentOptions options;
  options.dry_run = true;
  options.runs = 12;
  options.warm_up = 3;
  const Comparison comparison = Measure(launcher, options);
  ASSERT_EQ(launcher.plans.size(), 1u);
  EXPECT_EQ(launcher.plans[0].batch, 1u);
  EXPECT_EQ(launcher.plans[0].fixed_iterations, 1u);
  EXPECT_EQ(launcher.plans[0].warm_up_ns, 0);
  ASSERT_TRUE(comparison.is_dry_run);
  EXPECT_EQ(comparison.pairs, 1u);
  EXPECT_EQ(comparison.iterations[0], 1u);
  EXPECT_NEAR(comparison.time_ns[0], 50, 1e-9) << "two ticks are a nanosecond";
  EXPECT_NEAR(comparison.time_ns[1], 52.5, 1e-9);
}

TEST(RunExperiment, ADryRunThatFailsIsAnError) {
  FakeLauncher launcher;
  launcher.change = [](int, RunOfPairs* launched) { launched->front().error = {1, "threw int"}; };
  ExperimentOptions options;
  options.dry_run = true;
  const Comparison comparison = Measure(launcher, options);
  EXPECT_EQ(comparison.failure.error.cause, "threw int");
  EXPECT_EQ(comparison.failure.error.variant, 1);
}

// Whoever has experiments launches their runs in any order: each gets what it would have got alone.
TEST(Experiment, RunsOfSeveralMayAlternate) {
  const Machine machine = TwoCpus();
  ExperimentOptions options[2];
  options[1].runs = 3;
  options[1].seed = 5;
  FakeLauncher alone[2];
  double ratios[2];
  for (int i = 0; i < 2; ++i) {
    ratios[i] = RunExperiment(options[i], machine, alone[i].Launcher()).interval.ratio;
  }
  FakeLauncher mixed[2];
  Experiment first(options[0], machine);
  Experiment second(options[1], machine);
  Experiment* const experiments[] = {&first, &second};
  for (int turn = 0; turn < 200; ++turn) {
    Experiment& experiment = *experiments[turn % 2];
    const RunPlan* const plan = experiment.Next();
    if (plan == nullptr) continue;
    EXPECT_EQ(experiment.Next(), plan) << "the same until it is taken";
    experiment.Take(mixed[turn % 2].Launcher()(*plan));
  }
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(experiments[i]->Next(), nullptr);
    ASSERT_EQ(mixed[i].plans.size(), alone[i].plans.size());
    for (size_t run = 0; run < alone[i].plans.size(); ++run) {
      EXPECT_EQ(mixed[i].plans[run].budget_ns, alone[i].plans[run].budget_ns);
      EXPECT_EQ(mixed[i].plans[run].schedule, alone[i].plans[run].schedule);
      EXPECT_EQ(mixed[i].plans[run].run, alone[i].plans[run].run);
    }
    const Comparison result = std::move(experiments[i]->Finish().front());
    ASSERT_TRUE(result.has_ratio());
    EXPECT_EQ(result.interval.ratio, ratios[i]);
  }
}

TEST(Experiment, SaysWhyARunTakesPlace) {
  const Machine machine = TwoCpus();
  const ExperimentOptions options;
  FakeLauncher launcher;
  Experiment experiment(options, machine);
  EXPECT_NE(experiment.Next(), nullptr);
  EXPECT_THAT(experiment.reason(), HasSubstr("calibration"));
  while (const RunPlan* const plan = experiment.Next()) experiment.Take(launcher.Launcher()(*plan));
  EXPECT_THAT(experiment.reason(), HasSubstr("runs are enough"));
}

TEST(MaxTime, IsTenSecondsOrTheMeasuringTime) {
  ExperimentOptions options;
  EXPECT_EQ(MaxTime(options), 10);
  options.min_time = 20;
  EXPECT_EQ(MaxTime(options), 20);
  options.max_time = 5;
  EXPECT_EQ(MaxTime(options), 5);
}

}  // namespace
}  // namespace duetbench
