#include "duetbench/runner/experiment.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "duetbench/stats/looks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kBatch = 77;
constexpr double kIterationNs = 61'000;

// Runs that nobody executes: keeps the plans, and gives back pairs with a ratio of 1.05.
class FakeLauncher {
 public:
  // What to change about the answer to the call with this number (from 0, the pilot counted).
  std::function<void(int call, LaunchedRun*)> change = [](int, LaunchedRun*) {};
  double wall_ns = 3e6;
  int unavailable_from = 1000;  // calls from this one on fail

  RunLauncher Launcher() {
    return [this](const RunPlan& plan) -> absl::StatusOr<LaunchedRun> {
      const int call = static_cast<int>(plans.size());
      plans.push_back(plan);
      if (call >= unavailable_from) return absl::UnavailableError("no more processes");
      LaunchedRun launched;
      launched.wall_ns = wall_ns;
      launched.result.batch = plan.batch == 0 ? kBatch : plan.batch;
      launched.result.iteration_ns = kIterationNs;
      for (uint32_t i = 0; plan.budget_ns > 0 && i < 20; ++i) {
        PairRecord pair{};
        pair.ticks[0] = 100;
        pair.ticks[1] = 105 + 0.01 * plan.run;
        pair.operations[0] = pair.operations[1] = 1;
        pair.assignment = i % 2;
        launched.result.pairs.push_back(pair);
      }
      change(call, &launched);
      return launched;
    };
  }

  std::vector<RunPlan> plans;
};

Machine TwoCpus() {
  Machine machine;
  machine.cpus.cpus[0] = 2;
  machine.cpus.cpus[1] = 5;
  machine.ns_per_tick = 0.5;
  machine.clock_step_ns = 10;
  machine.clock_overhead_ns = 20;
  return machine;
}

void NoProgress(int, int, double) {}

Comparison Experiment(FakeLauncher& launcher, const ExperimentOptions& options) {
  return RunExperiment(options, TwoCpus(), launcher.Launcher(), NoProgress);
}

TEST(RunExperiment, APilotCalibratesForAllRuns) {
  FakeLauncher launcher;
  ExperimentOptions options;
  options.runs = 5;
  options.min_time = 2;
  const Comparison comparison = Experiment(launcher, options);
  ASSERT_EQ(launcher.plans.size(), 6u);
  EXPECT_EQ(launcher.plans[0].batch, 0u);
  EXPECT_EQ(launcher.plans[0].budget_ns, 0);
  for (uint32_t run = 0; run < 5; ++run) {
    const RunPlan& plan = launcher.plans[run + 1];
    EXPECT_EQ(plan.run, run);
    EXPECT_EQ(plan.batch, kBatch);
    EXPECT_EQ(plan.iteration_ns, kIterationNs);
    EXPECT_NEAR(plan.budget_ns, 0.4e9, 1);
  }
  EXPECT_EQ(comparison.error.cause, "");
  EXPECT_EQ(comparison.error_run, -1);
  ASSERT_TRUE(comparison.has_estimate);
  EXPECT_EQ(comparison.runs_planned, 5);
  EXPECT_EQ(comparison.runs, 5);
  EXPECT_EQ(comparison.pairs, 100u) << "the pilot is not in the estimate";
  EXPECT_EQ(comparison.batch, kBatch);
  EXPECT_NEAR(comparison.interval.ratio, 1.0502, 1e-6);
  EXPECT_NEAR(comparison.time_ns[0], 50, 1e-9) << "two ticks are a nanosecond";
  EXPECT_FALSE(comparison.interrupted);
  EXPECT_FALSE(comparison.this_process_only);
}

TEST(RunExperiment, PlansCarryTheOptionsAndTheMachine) {
  FakeLauncher launcher;
  ExperimentOptions options;
  options.runs = 2;
  options.seed = 99;
  options.fill = true;
  options.warm_up = 0.25;
  options.timeout = 7;
  options.iterations = 12;
  options.max_pairs = 34;
  options.manual_time = true;
  Experiment(launcher, options);
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
    EXPECT_EQ(plan.max_batch, 12u);
    EXPECT_EQ(plan.max_pairs, 34u);
    EXPECT_EQ(plan.manual_time, 1u);
  }
}

TEST(RunExperiment, InterleavedRunsStayOnOneCpu) {
  FakeLauncher launcher;
  ExperimentOptions options;
  options.runs = 2;
  options.schedule = Schedule::kInterleaved;
  const Comparison comparison = Experiment(launcher, options);
  for (const RunPlan& plan : launcher.plans) {
    EXPECT_EQ(plan.schedule, Schedule::kInterleaved);
    EXPECT_EQ(plan.cpus[0], 2);
    EXPECT_EQ(plan.cpus[1], 2);
  }
  EXPECT_EQ(comparison.schedule, Schedule::kInterleaved);
}

TEST(RunExperiment, BatchesDwarfTheClock) {
  for (const auto& [step_ns, overhead_ns, least_ns] :
       std::vector<std::tuple<double, double, double>>{
           {10, 20, 50e3}, {10, 60, 60e3}, {1000, 60, 1e6}}) {
    FakeLauncher launcher;
    ExperimentOptions options;
    options.runs = 2;
    Machine machine = TwoCpus();
    machine.clock_step_ns = step_ns;
    machine.clock_overhead_ns = overhead_ns;
    RunExperiment(options, machine, launcher.Launcher(), NoProgress);
    EXPECT_NEAR(launcher.plans.back().min_batch_ns, least_ns, 1e-6);
  }
}

TEST(RunExperiment, AsManyRunsAsStartUpAllows) {
  for (const auto& [wall_ns, runs] : std::vector<std::pair<double, int>>{
           {1e6, 40}, {10e6, 25}, {20e6, 12}, {100e6, 10}, {5e9, 10}}) {
    FakeLauncher launcher;
    launcher.wall_ns = wall_ns;
    const Comparison comparison = Experiment(launcher, ExperimentOptions());
    EXPECT_EQ(comparison.runs, runs);
    EXPECT_EQ(comparison.runs_planned, runs);
    EXPECT_EQ(launcher.plans.size(), static_cast<size_t>(runs) + 1);
    EXPECT_NEAR(launcher.plans.back().budget_ns, 1e9 / runs, 1);
  }
}

// A second set-up in a run is worth it where it takes little of the measuring time.
TEST(RunExperiment, VariantsThatAreSetUpQuicklyAreSetUpTwiceInARun) {
  for (const auto& [set_up_ns, rounds] :
       std::vector<std::pair<double, uint32_t>>{{0, 2}, {24e6, 2}, {26e6, 1}, {1e9, 1}}) {
    FakeLauncher launcher;
    launcher.change = [ns = set_up_ns](int, LaunchedRun* launched) {
      launched->result.set_up_ns = ns;
    };
    ExperimentOptions options;
    options.runs = 10;
    Experiment(launcher, options);
    ASSERT_EQ(launcher.plans.size(), 11u);
    EXPECT_EQ(launcher.plans[0].rounds, 1u) << "the pilot";
    for (size_t i = 1; i < 11; ++i) EXPECT_EQ(launcher.plans[i].rounds, rounds) << set_up_ns;
  }
}

TEST(RunExperiment, OneRunCalibratesItself) {
  FakeLauncher launcher;
  ExperimentOptions options;
  options.runs = 1;
  options.min_time = 0.5;
  const Comparison comparison = Experiment(launcher, options);
  ASSERT_EQ(launcher.plans.size(), 1u);
  EXPECT_EQ(launcher.plans[0].batch, 0u);
  EXPECT_EQ(launcher.plans[0].budget_ns, 0.5e9);
  EXPECT_EQ(launcher.plans[0].rounds, 1u);
  EXPECT_GE(launcher.plans[0].least_blocks, 4u) << "an interval of one run needs three pairs";
  ASSERT_TRUE(comparison.has_estimate) << comparison.error.cause;
  EXPECT_TRUE(comparison.this_process_only);
}

TEST(RunExperiment, AFailingPilotEndsTheExperiment) {
  FakeLauncher launcher;
  launcher.change = [](int, LaunchedRun* launched) { launched->result.error = {1, "threw int"}; };
  const Comparison comparison = Experiment(launcher, ExperimentOptions());
  EXPECT_EQ(launcher.plans.size(), 1u);
  EXPECT_EQ(comparison.error.variant, 1);
  EXPECT_EQ(comparison.error.cause, "threw int");
  EXPECT_EQ(comparison.error_run, 0);
  EXPECT_FALSE(comparison.has_estimate);
}

TEST(RunExperiment, AFailingRunEndsTheExperimentWithItsNumber) {
  FakeLauncher launcher;
  launcher.change = [](int call, LaunchedRun* launched) {
    if (call == 4) launched->result.error = {0, "crashed"};
  };
  const Comparison comparison = Experiment(launcher, ExperimentOptions());
  EXPECT_EQ(launcher.plans.size(), 5u);
  EXPECT_EQ(comparison.error.variant, 0);
  EXPECT_EQ(comparison.error.cause, "crashed");
  EXPECT_EQ(comparison.error_run, 3);
  EXPECT_FALSE(comparison.has_estimate);
}

TEST(RunExperiment, WhereThereAreNoRunsTheLauncherSaysWhy) {
  for (const int from : {0, 3}) {
    FakeLauncher launcher;
    launcher.unavailable_from = from;
    const Comparison comparison = Experiment(launcher, ExperimentOptions());
    EXPECT_EQ(launcher.plans.size(), static_cast<size_t>(from) + 1);
    EXPECT_EQ(comparison.error.variant, -1);
    EXPECT_THAT(comparison.error.cause, HasSubstr("no more processes"));
    EXPECT_FALSE(comparison.has_estimate);
  }
}

TEST(RunExperiment, AnInterruptReportsWhatHasBeenMeasured) {
  FakeLauncher launcher;
  launcher.change = [](int call, LaunchedRun* launched) {
    if (call < 5) return;
    launched->interrupted = true;
    launched->result = RunResult();
  };
  ExperimentOptions options;
  options.runs = 10;
  const Comparison comparison = Experiment(launcher, options);
  EXPECT_EQ(launcher.plans.size(), 6u);
  EXPECT_TRUE(comparison.interrupted);
  ASSERT_TRUE(comparison.has_estimate) << comparison.error.cause;
  EXPECT_EQ(comparison.runs, 4);
  EXPECT_EQ(comparison.runs_planned, 10);
  EXPECT_EQ(comparison.interval.kind, stats::IntervalKind::kT);
  EXPECT_FALSE(comparison.this_process_only);
}

TEST(RunExperiment, AnInterruptAfterOneRunIsNotARunInThisProcess) {
  FakeLauncher launcher;
  launcher.change = [](int call, LaunchedRun* launched) { launched->interrupted = call >= 2; };
  ExperimentOptions options;
  options.runs = 10;
  const Comparison comparison = Experiment(launcher, options);
  EXPECT_TRUE(comparison.interrupted);
  ASSERT_TRUE(comparison.has_estimate) << comparison.error.cause;
  EXPECT_EQ(comparison.runs, 1);
  EXPECT_FALSE(comparison.this_process_only);
}

TEST(RunExperiment, AnInterruptBeforeAResultSaysSo) {
  for (const int at : {0, 1}) {
    FakeLauncher launcher;
    launcher.change = [&](int call, LaunchedRun* launched) {
      if (call < at) return;
      launched->interrupted = true;
      launched->result = RunResult();
    };
    const Comparison comparison = Experiment(launcher, ExperimentOptions());
    EXPECT_EQ(launcher.plans.size(), static_cast<size_t>(at) + 1);
    EXPECT_TRUE(comparison.interrupted);
    EXPECT_FALSE(comparison.has_estimate);
    EXPECT_THAT(comparison.error.cause, HasSubstr("interrupted"));
  }
}

TEST(RunExperiment, ProgressCountsUpAndTheTimeLeftDown) {
  FakeLauncher launcher;
  ExperimentOptions options;
  options.runs = 4;
  options.min_time = 2;
  std::vector<std::pair<int, int>> calls;
  std::vector<double> left;
  RunExperiment(options, TwoCpus(), launcher.Launcher(), [&](int done, int runs, double seconds) {
    // Before each run: as many have been launched, the pilot counted, as calls have been made.
    EXPECT_EQ(launcher.plans.size(), calls.size());
    calls.emplace_back(done, runs);
    left.push_back(seconds);
  });
  EXPECT_EQ(calls, (std::vector<std::pair<int, int>>{{0, 4}, {0, 4}, {1, 4}, {2, 4}, {3, 4}}));
  EXPECT_EQ(left, (std::vector<double>{2, 2, 1.5, 1, 0.5}));
}

TEST(RunExperiment, ADryRunIsOneOperationOfEachAndNoEstimate) {
  FakeLauncher launcher;
  launcher.change = [](int, LaunchedRun* launched) { launched->result.pairs.resize(1); };
  ExperimentOptions options;
  options.dry_run = true;
  options.runs = 12;
  options.warm_up = 3;
  const Comparison comparison = Experiment(launcher, options);
  ASSERT_EQ(launcher.plans.size(), 1u);
  EXPECT_EQ(launcher.plans[0].batch, 1u);
  EXPECT_EQ(launcher.plans[0].max_pairs, 1u);
  EXPECT_EQ(launcher.plans[0].rounds, 1u);
  EXPECT_EQ(launcher.plans[0].warm_up_ns, 0);
  EXPECT_EQ(comparison.error.cause, "");
  EXPECT_TRUE(comparison.dry_run);
  EXPECT_FALSE(comparison.has_estimate);
  EXPECT_EQ(comparison.pairs, 1u);
  EXPECT_EQ(comparison.operations[0], 1u);
  EXPECT_NEAR(comparison.time_ns[0], 50, 1e-9) << "two ticks are a nanosecond";
  EXPECT_NEAR(comparison.time_ns[1], 52.5, 1e-9);
}

TEST(RunExperiment, ADryRunThatFailsIsAnError) {
  FakeLauncher launcher;
  launcher.change = [](int, LaunchedRun* launched) { launched->result.error = {1, "threw int"}; };
  ExperimentOptions options;
  options.dry_run = true;
  const Comparison comparison = Experiment(launcher, options);
  EXPECT_EQ(comparison.error.cause, "threw int");
  EXPECT_EQ(comparison.error.variant, 1);
}

// --- Gates: runs until the gate is decided ---

// A launcher whose runs have these log-ratios, in turn.
FakeLauncher WithLogRatios(std::vector<double> log_ratios) {
  FakeLauncher launcher;
  launcher.change = [log_ratios = std::move(log_ratios)](int call, LaunchedRun* launched) {
    const double log_ratio = log_ratios[static_cast<size_t>(call) % log_ratios.size()];
    for (PairRecord& pair : launched->result.pairs) pair.ticks[1] = 100 * std::exp(log_ratio);
  };
  return launcher;
}

ExperimentOptions Gated(const GateDemand& demand) {
  ExperimentOptions options;
  options.gate = demand;
  return options;
}

TEST(RunExperiment, AClearGateEndsAtTheFirstLook) {
  for (const double log_ratio : {0.0, 0.3}) {
    FakeLauncher launcher = WithLogRatios({log_ratio, log_ratio + 1e-5});
    const Comparison comparison = Experiment(launcher, Gated(GateDemand::MaxRatio(1.05)));
    ASSERT_TRUE(comparison.gate.has_value());
    EXPECT_EQ(comparison.gate->outcome,
              log_ratio == 0 ? stats::GateOutcome::kPass : stats::GateOutcome::kFail);
    EXPECT_EQ(comparison.runs, 5);
    EXPECT_EQ(comparison.runs_planned, 5);
    EXPECT_EQ(launcher.plans.size(), 6u) << "with the pilot";
    EXPECT_EQ(comparison.gate->looks, 1);
    EXPECT_DOUBLE_EQ(comparison.gate->share, stats::LookShare(0));
    EXPECT_FALSE(comparison.gate->time_spent);
    EXPECT_TRUE(comparison.diagnosis.has_value());
    EXPECT_NEAR(comparison.wall_s, 6 * 3e-3, 1e-9);
    EXPECT_NEAR(launcher.plans.back().budget_ns, 1e9 / 40, 1) << "as long as runs without a gate";
  }
}

TEST(RunExperiment, AGateThatIsNotDecidedMeasuresOnUntilItIs) {
  FakeLauncher launcher = WithLogRatios({0.03, 0.05});  // 4 % +- 1 %
  const Comparison comparison = Experiment(launcher, Gated(GateDemand::MaxRatio(1.05)));
  EXPECT_EQ(comparison.gate->outcome, stats::GateOutcome::kPass);
  EXPECT_GT(comparison.gate->looks, 1);
  EXPECT_EQ(comparison.runs, stats::LookRuns(comparison.gate->looks - 1));
  EXPECT_LT(comparison.runs, 100);
}

TEST(RunExperiment, AFailIsMeasuredOnUntilItWouldStandInALargeSuite) {
  FakeLauncher launcher = WithLogRatios({0.055, 0.075});
  const Comparison comparison = Experiment(launcher, Gated(GateDemand::MaxRatio(1.05)));
  EXPECT_EQ(comparison.gate->outcome, stats::GateOutcome::kFail);
  EXPECT_LE(comparison.gate->p, 1e-5);
  const std::vector<RunResult> one_look_less(
      comparison.results.begin(),
      comparison.results.begin() + stats::LookRuns(comparison.gate->looks - 2));
  const Comparison earlier = Summarize(one_look_less, Gated(GateDemand::MaxRatio(1.05)), 0.5,
                                       {1, stats::LookShare(comparison.gate->looks - 2), true});
  EXPECT_EQ(earlier.gate->outcome, stats::GateOutcome::kFail) << "it would have ended there";
  EXPECT_GT(earlier.gate->p, 1e-5);
}

TEST(RunExperiment, AGateIsGivenUpWhenItsTimeIsSpent) {
  FakeLauncher launcher = WithLogRatios({0.0388, 0.0588});  // 5 %, at the limit
  launcher.wall_ns = 25e6;
  ExperimentOptions options = Gated(GateDemand::MaxRatio(1.05));
  options.max_time = 2;
  const Comparison comparison = Experiment(launcher, options);
  EXPECT_EQ(comparison.gate->outcome, stats::GateOutcome::kInconclusive);
  EXPECT_TRUE(comparison.gate->time_spent);
  EXPECT_EQ(comparison.runs, 79) << "and a pilot";
  EXPECT_DOUBLE_EQ(comparison.gate->share, stats::kLastLookShare);
  EXPECT_EQ(comparison.gate->looks, 8) << "at 5, 8, 12, 18, 27, 41 and 62 runs, and the last one";
}

TEST(RunExperiment, TheFirstLookIsAtFiveRunsWhateverTheyTake) {
  FakeLauncher launcher = WithLogRatios({0.0, 0.1});
  launcher.wall_ns = 60e9;
  const Comparison comparison = Experiment(launcher, Gated(GateDemand::MaxRatio(1.05)));
  EXPECT_EQ(comparison.runs, 5);
  EXPECT_EQ(comparison.gate->outcome, stats::GateOutcome::kInconclusive);
  EXPECT_TRUE(comparison.gate->time_spent);
}

TEST(RunExperiment, AGivenNumberOfRunsIsLookedAtOnce) {
  FakeLauncher launcher = WithLogRatios({0.0, 1e-5});
  ExperimentOptions options = Gated(GateDemand::MaxRatio(1.05));
  options.runs = 12;
  const Comparison comparison = Experiment(launcher, options);
  EXPECT_EQ(comparison.runs, 12);
  EXPECT_EQ(comparison.gate->outcome, stats::GateOutcome::kPass);
  EXPECT_EQ(comparison.gate->looks, 1);
  EXPECT_EQ(comparison.gate->share, 1);
}

TEST(RunExperiment, AnInterruptedGateIsJudgedByTheLastLook) {
  FakeLauncher launcher;
  launcher.change = [](int call, LaunchedRun* launched) { launched->interrupted = call > 7; };
  const Comparison comparison = Experiment(launcher, Gated(GateDemand::MaxRatio(1.0501)));
  EXPECT_TRUE(comparison.interrupted);
  EXPECT_EQ(comparison.runs, 7);
  EXPECT_EQ(comparison.gate->outcome, stats::GateOutcome::kInconclusive);
  EXPECT_EQ(comparison.gate->looks, 2);
  EXPECT_FALSE(comparison.gate->time_spent);
}

TEST(MaxTime, IsTenSecondsOrTheMeasuringTime) {
  ExperimentOptions options;
  EXPECT_EQ(MaxTime(options), 10);
  options.min_time = 20;
  EXPECT_EQ(MaxTime(options), 20);
  options.max_time = 5;
  EXPECT_EQ(MaxTime(options), 5);
}

TEST(ChooseRuns, TenToFortyAsStartUpAllows) {
  EXPECT_EQ(ChooseRuns(1, 0.001), 40);
  EXPECT_EQ(ChooseRuns(1, 0.00625), 40);
  EXPECT_EQ(ChooseRuns(1, 0.01), 25);
  EXPECT_EQ(ChooseRuns(1, 0.02), 12);
  EXPECT_EQ(ChooseRuns(1, 0.025), 10);
  EXPECT_EQ(ChooseRuns(1, 60), 10);
  EXPECT_EQ(ChooseRuns(10, 0.1), 25);
}

TEST(ChooseRuns, SurvivesExtremes) {
  EXPECT_EQ(ChooseRuns(1, 0), 40);
  EXPECT_EQ(ChooseRuns(0, 0.01), 10);
  EXPECT_EQ(ChooseRuns(1e9, 1e-9), 40);
}

TEST(ChooseRuns, StartsStayBelowAQuarterWhereThereIsAChoice) {
  double overhead = 1e-4;
  for (int i = 0; i < 90; ++i) {
    overhead *= 1.1;
    const int runs = ChooseRuns(1, overhead);
    if (runs > 10) {
      EXPECT_LE(runs * overhead, 0.25);
    }
    if (runs < 40) {
      EXPECT_GT((runs + 1) * overhead, 0.25) << "one more would have been possible";
    }
  }
}

TEST(RunExperiment, AFixedNumberOfOperationsIsPartOfEveryPlan) {
  for (const int runs : {1, 5}) {
    FakeLauncher launcher;
    ExperimentOptions options;
    options.runs = runs;
    options.operations = 1000;
    options.fill = true;
    const Comparison comparison = Experiment(launcher, options);
    ASSERT_EQ(launcher.plans.size(), static_cast<size_t>(runs) + 1) << "also one run has a pilot";
    for (const RunPlan& plan : launcher.plans) EXPECT_EQ(plan.operations, 1000u);
    EXPECT_EQ(launcher.plans.back().batch, kBatch);
    EXPECT_THAT(comparison.notices, testing::Contains(HasSubstr("not filled")));
  }
}

// 1000 operations are 13 iterations of 61 us, 0.8 ms.
TEST(RunExperiment, ManyOperationsAreNotDoneTwiceInARun) {
  for (const auto& [min_time, rounds] : {std::pair<double, uint32_t>{0.1, 2}, {0.001, 1}}) {
    FakeLauncher launcher;
    ExperimentOptions options;
    options.runs = 5;
    options.min_time = min_time;
    options.operations = 1000;
    Experiment(launcher, options);
    EXPECT_EQ(launcher.plans.back().rounds, rounds);
  }
}

}  // namespace
}  // namespace duetbench
