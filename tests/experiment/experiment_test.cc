#include "duetbench/experiment/experiment.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

constexpr double kWarmUpNs = 1e6;  // of a round with short samples

// With the schedule duet, unless another one is demanded.
ExperimentResult Measure(FakeLauncher& launcher, ExperimentOptions options = {}) {
  if (!options.schedule.has_value()) options.schedule = Schedule::kDuet;
  return RunExperiment(launcher, options);
}

ExperimentOptions Runs(int runs, double min_time = 1) {
  ExperimentOptions options;
  options.runs = runs;
  options.min_time = min_time;
  return options;
}

TEST(RunExperiment, APilotCalibratesForAllRuns) {
  FakeLauncher launcher;
  const ExperimentResult comparison = Measure(launcher, Runs(5, 2));
  ASSERT_EQ(launcher.plans.size(), 6u);
  EXPECT_EQ(launcher.plans[0].batch, 0u);
  EXPECT_EQ(launcher.plans[0].budget_ns, 0);
  for (uint32_t run = 0; run < 5; ++run) {
    const RunPlan& plan = launcher.plans[run + 1];
    EXPECT_EQ(plan.run, run);
    EXPECT_EQ(plan.batch, kBatch);
    EXPECT_EQ(plan.sample_ns, kSampleNs);
    EXPECT_NEAR(plan.budget_ns, (2e9 - 6 * launcher.wall_ns) / 5 - 2 * kWarmUpNs, 1)
        << "starts are counted";
  }
  ASSERT_NE(comparison.estimate(), nullptr);
  EXPECT_EQ(comparison.estimate()->runs_planned, 5);
  EXPECT_EQ(comparison.estimate()->runs, 5);
  EXPECT_EQ(comparison.estimate()->pairs, 100u) << "the pilot is not in the estimate";
  EXPECT_EQ(comparison.estimate()->batch, kBatch);
  EXPECT_NEAR(comparison.estimate()->interval.ratio, 1.0502, 1e-6);
  EXPECT_NEAR(comparison.estimate()->time_ns[0], 50, 1e-5) << "two ticks are a nanosecond";
  EXPECT_FALSE(comparison.estimate()->interrupted);
  EXPECT_FALSE(comparison.estimate()->this_process_only);
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
  launcher.change = [](int call, LaunchedRun* launched) { launched->result.start_s = 100 + call; };
  EXPECT_EQ(Measure(launcher, Runs(2)).results[1].start_s, 102);
}

TEST(RunExperiment, PlansCarryTheOptionsAndTheMachine) {
  FakeLauncher launcher;
  ExperimentOptions options;
  options.runs = 2;
  options.seed = 99;
  options.fill = true;
  options.warm_up = 0.25;
  options.timeout = 7;
  options.max_pairs = 34;
  options.manual_time = true;
  Measure(launcher, options);
  ASSERT_EQ(launcher.plans.size(), 3u);
  for (const RunPlan& plan : launcher.plans) {
    EXPECT_EQ(plan.seed, 99u);
    EXPECT_EQ(plan.schedule, Schedule::kDuet);
    EXPECT_EQ(plan.fill, 1u);
    EXPECT_EQ(plan.cpus[0], 2);
    EXPECT_EQ(plan.cpus[1], 5);
    EXPECT_EQ(plan.ns_per_tick, 0.5);
    EXPECT_EQ(plan.resolution_ns, 20);
    EXPECT_EQ(plan.warm_up_ns, 0.25e9);
    EXPECT_EQ(plan.timeout_ns, 7e9);
    EXPECT_EQ(plan.max_pairs, 34u);
    EXPECT_EQ(plan.manual_time, 1u);
  }
}

TEST(RunExperiment, InterleavedRunsStayOnOneCpu) {
  FakeLauncher launcher;
  ExperimentOptions options;
  options.runs = 2;
  options.schedule = Schedule::kInterleaved;
  const ExperimentResult comparison = Measure(launcher, options);
  for (const RunPlan& plan : launcher.plans) {
    EXPECT_EQ(plan.schedule, Schedule::kInterleaved);
    EXPECT_EQ(plan.cpus[0], 2);
    EXPECT_EQ(plan.cpus[1], 2);
  }
  EXPECT_EQ(comparison.estimate()->schedule, Schedule::kInterleaved);
}

TEST(RunExperiment, BatchesDwarfTheClock) {
  for (const auto& [step_ns, overhead_ns, min_ns] : std::vector<std::tuple<double, double, double>>{
           {10, 20, 50e3}, {10, 60, 60e3}, {1000, 60, 1e6}}) {
    FakeLauncher launcher;
    ExperimentOptions options;
    options.runs = 2;
    Machine machine = TwoCpus();
    machine.clock_step_ns = step_ns;
    machine.clock_overhead_ns = overhead_ns;
    RunExperiment(options, machine, launcher.Launcher());
    EXPECT_NEAR(launcher.plans.back().min_batch_ns, min_ns, 1e-6);
  }
}

TEST(RunExperiment, AsManyRunsAsStartUpAllows) {
  for (const auto& [wall_ns, runs] : std::vector<std::pair<double, int>>{
           {1e6, 40}, {7e6, 25}, {15e6, 18}, {50e6, 10}, {5e9, 10}}) {
    FakeLauncher launcher;
    launcher.wall_ns = wall_ns;
    const ExperimentResult comparison = Measure(launcher);
    EXPECT_EQ(comparison.estimate()->runs, runs);
    EXPECT_EQ(comparison.estimate()->runs_planned, runs);
    EXPECT_EQ(launcher.plans.size(), static_cast<size_t>(runs) + 1);
    const double left_ns = 1e9 - (runs + 1) * wall_ns - runs * kWarmUpNs;
    const double budget_ns = std::max(0.25e9, left_ns) / runs - kWarmUpNs;
    EXPECT_NEAR(launcher.plans.back().budget_ns, budget_ns, 1) << "two rounds";
  }
}

// A second set-up in a run is worth it where it takes little of the measuring time.
TEST(RunExperiment, VariantsThatAreSetUpQuicklyAreSetUpTwiceInARun) {
  for (const auto& [set_up_ns, rounds] :
       std::vector<std::pair<double, uint32_t>>{{0, 2}, {17e6, 2}, {21e6, 1}, {1e9, 1}}) {
    FakeLauncher launcher;
    launcher.change = [ns = set_up_ns](int, LaunchedRun* launched) {
      launched->result.set_up_ns = ns;
    };
    Measure(launcher, Runs(10));
    ASSERT_EQ(launcher.plans.size(), 11u);
    EXPECT_EQ(launcher.plans[0].rounds, 1u) << "the pilot";
    for (size_t i = 1; i < 11; ++i) EXPECT_EQ(launcher.plans[i].rounds, rounds) << set_up_ns;
  }
}

TEST(RunExperiment, OneRunCalibratesItself) {
  FakeLauncher launcher;
  const ExperimentResult comparison = Measure(launcher, Runs(1, 0.5));
  ASSERT_EQ(launcher.plans.size(), 1u);
  EXPECT_EQ(launcher.plans[0].batch, 0u);
  EXPECT_EQ(launcher.plans[0].budget_ns, 0.5e9);
  EXPECT_EQ(launcher.plans[0].rounds, 1u);
  EXPECT_GE(launcher.plans[0].min_blocks, 4u) << "an interval of one run needs three pairs";
  ASSERT_NE(comparison.estimate(), nullptr);
  EXPECT_TRUE(comparison.estimate()->this_process_only);
}

TEST(RunExperiment, AFailingPilotEndsTheExperiment) {
  FakeLauncher launcher;
  launcher.change = [](int, LaunchedRun* launched) { launched->result.error = {1, "threw int"}; };
  const ExperimentResult comparison = Measure(launcher);
  ASSERT_NE(comparison.failure(), nullptr);
  EXPECT_EQ(launcher.plans.size(), 1u);
  EXPECT_EQ(comparison.failure()->error.variant, 1);
  EXPECT_EQ(comparison.failure()->error.cause, "threw int");
  EXPECT_EQ(comparison.failure()->run, 0);
}

TEST(RunExperiment, AFailingRunEndsTheExperimentWithItsNumber) {
  FakeLauncher launcher;
  launcher.change = [](int call, LaunchedRun* launched) {
    if (call == 4) launched->result.error = {0, "crashed"};
  };
  const ExperimentResult comparison = Measure(launcher);
  ASSERT_NE(comparison.failure(), nullptr);
  EXPECT_EQ(launcher.plans.size(), 5u);
  EXPECT_EQ(comparison.failure()->error.variant, 0);
  EXPECT_EQ(comparison.failure()->error.cause, "crashed");
  EXPECT_EQ(comparison.failure()->run, 3);
}

TEST(RunExperiment, WhereThereAreNoRunsTheLauncherSaysWhy) {
  for (const int from : {0, 3}) {
    FakeLauncher launcher;
    launcher.unavailable_from = from;
    const ExperimentResult comparison = Measure(launcher);
    ASSERT_NE(comparison.failure(), nullptr);
    EXPECT_EQ(launcher.plans.size(), static_cast<size_t>(from) + 1);
    EXPECT_EQ(comparison.failure()->error.variant, -1);
    EXPECT_THAT(comparison.failure()->error.cause, HasSubstr("no more processes"));
  }
}

TEST(RunExperiment, AnInterruptReportsWhatHasBeenMeasured) {
  FakeLauncher launcher;
  launcher.change = [](int call, LaunchedRun* launched) {
    if (call < 5) return;
    launched->interrupted = true;
    launched->result = RunResult();
  };
  const ExperimentResult comparison = Measure(launcher, Runs(10));
  EXPECT_EQ(launcher.plans.size(), 6u);
  EXPECT_TRUE(comparison.estimate()->interrupted);
  ASSERT_NE(comparison.estimate(), nullptr);
  EXPECT_EQ(comparison.estimate()->runs, 4);
  EXPECT_EQ(comparison.estimate()->runs_planned, 10);
  EXPECT_EQ(comparison.estimate()->interval.kind, stats::IntervalKind::kWeighted);
  EXPECT_FALSE(comparison.estimate()->this_process_only);
}

TEST(RunExperiment, AnInterruptAfterOneRunIsNotARunInThisProcess) {
  FakeLauncher launcher;
  launcher.change = [](int call, LaunchedRun* launched) { launched->interrupted = call >= 2; };
  const ExperimentResult comparison = Measure(launcher, Runs(10));
  EXPECT_TRUE(comparison.estimate()->interrupted);
  ASSERT_NE(comparison.estimate(), nullptr);
  EXPECT_EQ(comparison.estimate()->runs, 1);
  EXPECT_FALSE(comparison.estimate()->this_process_only);
}

TEST(RunExperiment, AnInterruptBeforeAResultSaysSo) {
  for (const int at : {0, 1}) {
    FakeLauncher launcher;
    launcher.change = [&](int call, LaunchedRun* launched) {
      if (call < at) return;
      launched->interrupted = true;
      launched->result = RunResult();
    };
    const ExperimentResult comparison = Measure(launcher);
    EXPECT_EQ(launcher.plans.size(), static_cast<size_t>(at) + 1);
    ASSERT_NE(comparison.failure(), nullptr);
    EXPECT_THAT(comparison.failure()->error.cause, HasSubstr("interrupted"));
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

TEST(RunExperiment, ADryRunIsOneIterationOfEachAndNoEstimate) {
  FakeLauncher launcher;
  launcher.change = [](int, LaunchedRun* launched) { launched->result.pairs.resize(1); };
  ExperimentOptions options;
  options.dry_run = true;
  options.runs = 12;
  options.warm_up = 3;
  const ExperimentResult comparison = Measure(launcher, options);
  ASSERT_EQ(launcher.plans.size(), 1u);
  EXPECT_EQ(launcher.plans[0].batch, 1u);
  EXPECT_EQ(launcher.plans[0].max_pairs, 1u);
  EXPECT_EQ(launcher.plans[0].rounds, 1u);
  EXPECT_EQ(launcher.plans[0].warm_up_ns, 0);
  ASSERT_NE(comparison.dry_run(), nullptr);
  EXPECT_EQ(comparison.measured()->pairs, 1u);
  EXPECT_EQ(comparison.measured()->iterations[0], 1u);
  EXPECT_NEAR(comparison.measured()->time_ns[0], 50, 1e-9) << "two ticks are a nanosecond";
  EXPECT_NEAR(comparison.measured()->time_ns[1], 52.5, 1e-9);
}

TEST(RunExperiment, ADryRunThatFailsIsAnError) {
  FakeLauncher launcher;
  launcher.change = [](int, LaunchedRun* launched) { launched->result.error = {1, "threw int"}; };
  ExperimentOptions options;
  options.dry_run = true;
  const ExperimentResult comparison = Measure(launcher, options);
  EXPECT_EQ(comparison.failure()->error.cause, "threw int");
  EXPECT_EQ(comparison.failure()->error.variant, 1);
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
    ratios[i] = RunExperiment(options[i], machine, alone[i].Launcher()).estimate()->interval.ratio;
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
    const ExperimentResult result = experiments[i]->Finish();
    EXPECT_EQ(result.estimate()->interval.ratio, ratios[i]);
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
  const ExperimentResult result = experiment.Finish();
  ASSERT_NE(result.estimate(), nullptr);
  EXPECT_EQ(result.estimate()->runs, 7);
  EXPECT_GT(result.estimate()->runs_planned, 7);
  EXPECT_TRUE(result.estimate()->interrupted);
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

TEST(RunExperiment, DividesTheRunsAmongTheLayouts) {
  FakeLauncher launcher;
  ExperimentOptions options;
  options.runs = 7;
  options.layouts = 3;
  const ExperimentResult comparison = Measure(launcher, options);
  ASSERT_EQ(comparison.results.size(), 7u);
  for (size_t run = 0; run < 7; ++run) {
    EXPECT_EQ(comparison.results[run].layout, static_cast<int>(run % 3));
  }
  ASSERT_NE(comparison.estimate(), nullptr);
  EXPECT_EQ(comparison.estimate()->run_log_ratios.size(), 3u);
  ASSERT_TRUE(comparison.estimate()->layouts.has_value());
  EXPECT_EQ(comparison.estimate()->layouts->layouts, 3);
}

TEST(RunExperiment, AFixedNumberOfIterationsIsPartOfEveryPlan) {
  for (const int runs : {1, 5}) {
    FakeLauncher launcher;
    ExperimentOptions options;
    options.runs = runs;
    options.fixed_iterations = 1000;
    options.fill = true;
    const ExperimentResult comparison = Measure(launcher, options);
    ASSERT_EQ(launcher.plans.size(), static_cast<size_t>(runs) + 1) << "also one run has a pilot";
    for (const RunPlan& plan : launcher.plans) EXPECT_EQ(plan.fixed_iterations, 1000u);
    EXPECT_EQ(launcher.plans.back().batch, kBatch);
    EXPECT_THAT(comparison.notices, testing::Contains(Notice{Notice::Kind::kNotFilled, {}, ""}));
  }
}

// 1000 iterations are 13 samples of 61 us, 0.8 ms.
TEST(RunExperiment, ManyIterationsAreNotDoneTwiceInARun) {
  for (const auto& [min_time, rounds] : {std::pair<double, uint32_t>{0.1, 2}, {0.001, 1}}) {
    FakeLauncher launcher;
    ExperimentOptions options;
    options.runs = 5;
    options.min_time = min_time;
    options.fixed_iterations = 1000;
    Measure(launcher, options);
    EXPECT_EQ(launcher.plans.back().rounds, rounds);
  }
}

// New takes 20 % more at first, less and less in the course of a run.
void LetTheRatioFall(LaunchedRun* launched, uint32_t run) {
  double excess = 0.2 + 0.001 * (run % 3);
  for (PairRecord& pair : launched->result.pairs) {
    pair.ticks[1] = 100 * (1 + excess);
    excess *= 0.8;
  }
}

// New takes `excess` more than usual in the first quarter of a run.
void LetARunBeginCold(double excess, LaunchedRun* launched) {
  std::vector<PairRecord>& pairs = launched->result.pairs;
  for (size_t i = 0; i < pairs.size() / 4; ++i) pairs[i].ticks[1] *= 1 + excess;
}

TEST(RunExperiment, AWarmUpThatIsTooShortIsLengthened) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, LaunchedRun* launched) {
    const RunPlan& plan = launcher.plans.back();
    if (plan.warm_up_ns == 0) LetARunBeginCold(0.2 + 0.001 * (plan.run % 3), launched);
  };
  const ExperimentResult result = Measure(launcher, Runs(12, 0.1));
  ASSERT_NE(result.estimate(), nullptr);
  EXPECT_EQ(result.estimate()->runs, 12);
  EXPECT_NEAR(result.estimate()->interval.ratio, 1.05, 0.002) << "of what was warm";
  EXPECT_GT(launcher.plans.back().warm_up_ns, 0);
  EXPECT_EQ(launcher.plans.size(), 1u + 12) << "no run is given up";
  EXPECT_THAT(result.notices, testing::IsEmpty());
}

// Found in the last look, by more runs than the ones before had.
TEST(RunExperiment, RunsThatWereMeasuredColdLoseTheirFirstThird) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, LaunchedRun* launched) {
    const uint32_t run = launcher.plans.back().run;
    LetARunBeginCold(run < 16 ? 0.02 * (run % 4) - 0.01 : 0.3, launched);
  };
  const ExperimentResult result = Measure(launcher, Runs(40, 0.1));
  ASSERT_NE(result.estimate(), nullptr);
  EXPECT_EQ(launcher.plans.back().warm_up_ns, 0) << "not found before";
  EXPECT_NEAR(result.estimate()->interval.ratio, 1.05, 0.002);
  EXPECT_THAT(result.notices, testing::IsEmpty());
}

TEST(RunExperiment, ARatioThatNeverSettlesIsTold) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, LaunchedRun* launched) {
    LetTheRatioFall(launched, launcher.plans.back().run);
  };
  const ExperimentResult result = Measure(launcher, Runs(12, 0.1));
  EXPECT_EQ(launcher.plans.size(), 1u + 12);
  ASSERT_EQ(result.notices.size(), 1u);
  EXPECT_EQ(result.notices[0].kind, Notice::Kind::kNotStationary);
  EXPECT_LT(result.notices[0].value[0], -0.05);
  EXPECT_GT(result.notices[0].value[1], 0);
}

// An operation of 5 s, of which a pilot would execute one or two more to no use.
TEST(RunExperiment, LongSamplesHaveOnePilotAndATimeoutThatFollowsThem) {
  FakeLauncher launcher;
  launcher.change = [](int call, LaunchedRun* launched) {
    launched->result.sample_ns = 5e9;
    if (call == 0) launched->result.pairs.clear();
  };
  ExperimentOptions options;
  options.timeout = 8;
  options.runs = 5;
  Measure(launcher, options);
  ASSERT_EQ(launcher.plans.size(), 6u);
  EXPECT_EQ(launcher.plans[0].timeout_ns, 8e9);
  EXPECT_EQ(launcher.plans[0].is_pilot, 1u);
  EXPECT_EQ(launcher.plans[1].is_pilot, 0u);
  EXPECT_GE(launcher.plans[1].timeout_ns, 40e9);
  EXPECT_EQ(launcher.plans[1].rounds, 1u);
}

}  // namespace
}  // namespace duetbench
