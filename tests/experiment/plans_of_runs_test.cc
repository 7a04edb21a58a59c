// The plans of the runs of an experiment.
#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "duetbench/experiment/experiment.h"
#include "duetbench/record/measuring_policy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"
#include "tests/experiment/measure.h"

namespace duetbench {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::Not;

TEST(RunExperiment, PlansCarryTheOptionsAndTheMachine) {
  FakeLauncher launcher;
  ExperimentOptions options;
  options.runs = 2;
  options.seed = 99;
  options.fill = true;
  options.warm_up = 0.25;
  options.timeout = 7;
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
    EXPECT_EQ(plan.manual_time, 1u);
  }
}

TEST(RunExperiment, InterleavedRunsStayOnOneCpu) {
  FakeLauncher launcher;
  ExperimentOptions options;
  options.runs = 2;
  options.schedule = Schedule::kInterleaved;
  const Comparison comparison = Measure(launcher, options);
  for (const RunPlan& plan : launcher.plans) {
    EXPECT_EQ(plan.schedule, Schedule::kInterleaved);
    EXPECT_EQ(plan.cpus[0], 2);
    EXPECT_EQ(plan.cpus[1], 2);
  }
  EXPECT_EQ(comparison.schedule, Schedule::kInterleaved);
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
    const Comparison comparison = Measure(launcher);
    EXPECT_EQ(comparison.runs, runs);
    EXPECT_EQ(comparison.runs_planned, runs);
    EXPECT_EQ(launcher.plans.size(), static_cast<size_t>(runs) + 1);
    const double long_ns = launcher.plans[1].budget_ns;
    EXPECT_GE(long_ns, 0.1e9) << "the first one";
    const double left_ns = 1e9 - (runs + 1) * wall_ns - (runs - 1) * kWarmUpNs;
    const double least_ns = kMeasuringPolicy.min_measuring_share * 1e9 - long_ns;
    const double of_each_ns =
        std::max({kMeasuringPolicy.min_budget_ns, left_ns / (runs - 1), least_ns / (runs - 1)});
    const RunPlan& last = launcher.plans.back();
    EXPECT_NEAR(last.budget_ns, of_each_ns, 1);
  }
}

TEST(RunExperiment, AFixedNumberOfIterationsIsPartOfEveryPlan) {
  for (const int runs : {1, 5}) {
    FakeLauncher launcher;
    ExperimentOptions options;
    options.runs = runs;
    options.fixed_iterations = 1000;
    options.fill = true;
    const Comparison comparison = Measure(launcher, options);
    ASSERT_EQ(launcher.plans.size(), static_cast<size_t>(runs) + 1) << "also one run has a pilot";
    for (const RunPlan& plan : launcher.plans) EXPECT_EQ(plan.fixed_iterations, 1000u);
    EXPECT_EQ(launcher.plans.back().batch, kBatch);
    EXPECT_THAT(comparison.notices, testing::Contains(Notice{Notice::Kind::kNotFilled, {}, ""}));
  }
}

// An operation of 5 s, of which a pilot would execute one or two more to no use.
TEST(RunExperiment, LongSamplesHaveOnePilotAndATimeoutThatFollowsThem) {
  FakeLauncher launcher;
  launcher.change = [](int call, RunOfPairs* launched) {
    launched->front().sample_ns = 5e9;
    if (call == 0) launched->front().pairs.clear();
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
}

// --- Runs that cost more than was planned: the first iterations of a process, or its end, take
// longer than all of the measuring time ---

constexpr double kFirstNs = 0.7e9;

ExperimentOptions ThirdOfASecond() {
  ExperimentOptions options;
  options.min_time = 0.3;
  return options;
}

auto IsExpensive() { return Field(&Notice::kind, Notice::Kind::kExpensiveRuns); }

TEST(FirstCalls, SlowInEveryRunLimitTheExperimentToTheFewestRuns) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, RunOfPairs* launched) {
    launched->front().wall_ns = launcher.plans.back().budget_ns + kFirstNs;
    launched->front().process_ns = launched->front().wall_ns + 3e6;
  };
  const Comparison result = RunExperiment(launcher, ThirdOfASecond());
  EXPECT_EQ(launcher.plans.size(), 1u + kMeasuringPolicy.fewest_runs);
  ASSERT_TRUE(result.has_ratio());
  EXPECT_THAT(result.notices, Contains(IsExpensive()));
}

TEST(FirstCalls, SlowOnlyAfterTheCalibrationLimitTheExperimentToTheFewestRuns) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int call, RunOfPairs* launched) {
    launched->front().wall_ns = launcher.plans.back().budget_ns + (call >= 1 ? kFirstNs : 0);
    launched->front().process_ns = launched->front().wall_ns + 3e6;
  };
  const Comparison result = RunExperiment(launcher, ThirdOfASecond());
  EXPECT_EQ(launcher.plans.size(), 1u + kMeasuringPolicy.fewest_runs);
  ASSERT_EQ(result.notices.size(), 1u);
  EXPECT_EQ(result.notices[0].kind, Notice::Kind::kExpensiveRuns);
  EXPECT_EQ(result.notices[0].value[0], kMeasuringPolicy.fewest_runs);
  EXPECT_NEAR(result.notices[0].value[1], 0.7, 0.1);
  EXPECT_EQ(result.notices[0].text, "waiting for a CPU, or ending");
}

// Whatever a run costs, an experiment takes no longer than the limit, and then the fewest runs.
TEST(FirstCalls, TheTimeOfAnExperimentIsBounded) {
  for (const double first_ns : {0.0, 1e6, 5e6, 20e6, 50e6, 0.2e9, 1e9, 10e9}) {
    for (const int from : {0, 1, 2, 3, 5}) {
      FakeLauncher launcher;
      double all_ns = 0;
      launcher.change = [&](int call, RunOfPairs* launched) {
        launched->front().wall_ns = launcher.plans.back().budget_ns + (call >= from ? first_ns : 0);
        launched->front().process_ns = launched->front().wall_ns + 3e6;
        all_ns += launched->front().process_ns;
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
  launcher.change = [&launcher](int, RunOfPairs* launched) {
    launched->front().wall_ns = launcher.plans.back().budget_ns + kFirstNs;
  };
  ExperimentOptions options = ThirdOfASecond();
  options.runs = 12;
  const Comparison result = RunExperiment(launcher, options);
  ASSERT_TRUE(result.has_ratio());
  EXPECT_EQ(result.runs, 12);
}

// A machine that is busy is no reason for fewer runs.
TEST(FirstCalls, ShortDelaysAreNone) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, RunOfPairs* launched) {
    launched->front().wall_ns = 1.3 * launcher.plans.back().budget_ns + 2e6;
    launched->front().process_ns = launched->front().wall_ns + 3e6;
  };
  ExperimentOptions options;
  const Comparison result = RunExperiment(launcher, options);
  ASSERT_TRUE(result.has_ratio());
  EXPECT_GT(result.runs, kMeasuringPolicy.fewest_runs);
  EXPECT_THAT(result.notices, Not(Contains(IsExpensive())));
}

}  // namespace
}  // namespace duetbench
