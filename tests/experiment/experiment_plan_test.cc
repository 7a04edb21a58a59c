#include "duetbench/experiment/experiment_plan.h"

#include "duetbench/decide/interval.h"
#include "duetbench/record/measuring_policy.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

TEST(ChooseRuns, TenToFortyAsStartUpAllows) {
  EXPECT_EQ(ChooseRuns(1, 0.001), 40);
  EXPECT_EQ(ChooseRuns(1, 0.005), 40);
  EXPECT_EQ(ChooseRuns(1, 0.008), 25);
  EXPECT_EQ(ChooseRuns(1, 0.016), 18);
  EXPECT_EQ(ChooseRuns(1, 0.0277), 18);
  EXPECT_EQ(ChooseRuns(1, 0.03), 16);
  EXPECT_EQ(ChooseRuns(1, 0.05), 10);
  EXPECT_EQ(ChooseRuns(1, 60), 10);
  EXPECT_EQ(ChooseRuns(10, 0.08), 25);
}

TEST(ChooseRuns, SurvivesExtremes) {
  EXPECT_EQ(ChooseRuns(1, 0), 40);
  EXPECT_EQ(ChooseRuns(0, 0.01), 10);
  EXPECT_EQ(ChooseRuns(1e9, 1e-9), 40);
}

TEST(ChooseRuns, StartsStayBelowAFifthWhereThereIsAChoice) {
  constexpr int kManyRuns = stats::kManyRuns;
  double overhead = 1e-4;
  for (int i = 0; i < 90; ++i) {
    overhead *= 1.1;
    const int runs = ChooseRuns(1, overhead);
    if (runs > 10) {
      EXPECT_LE(runs * overhead, runs > kManyRuns ? 0.2 : 0.5);
    }
    if (runs < 40) {
      EXPECT_GT((runs + 1) * overhead, runs < kManyRuns ? 0.5 : 0.2)
          << "one more would have been possible";
    }
  }
}

RunCosts SetUpCosting(double set_up_ns) {
  RunCosts costs;
  costs.start_ns = 3e6;
  costs.warm_up_ns = 2e6;
  costs.set_up_ns = set_up_ns;
  return costs;
}

TEST(ChooseRunsFor, ExpensiveSetUpsLeaveFewerRunsButNotFewerThanFive) {
  EXPECT_EQ(ChooseRunsFor(Schedule::kInterleaved, SetUpCosting(0), 1, 1e9), 40);
  EXPECT_EQ(ChooseRunsFor(Schedule::kInterleaved, SetUpCosting(20e6), 1, 1e9), 18)
      << "not expensive";
  EXPECT_EQ(ChooseRunsFor(Schedule::kInterleaved, SetUpCosting(120e6), 1, 1e9), 8);
  EXPECT_EQ(ChooseRunsFor(Schedule::kInterleaved, SetUpCosting(120e6), 1, 0.8e9), 6)
      << "pilots took a part";
  EXPECT_EQ(ChooseRunsFor(Schedule::kInterleaved, SetUpCosting(1e9), 1, -1e9), 5);
  EXPECT_EQ(ChooseRunsFor(Schedule::kInterleaved, SetUpCosting(1e9), 30, 29e9), 10)
      << "there is time for more";
}

TEST(MinTimeOf, HasTheFewestRunsWithBlocks) {
  ExperimentOptions options;
  EXPECT_EQ(MinTimeOf(options), 1);
  options.min_time = 0.01;
  EXPECT_EQ(MinTimeOf(options), 0.2);
  EXPECT_GE(MinTimeOf(options) * 1e9,
            kMeasuringPolicy.fewest_runs * 2 * kMeasuringPolicy.block_ns * (1 - 1e-9));
  options.fixed_iterations = 10;
  EXPECT_EQ(MinTimeOf(options), 0.01);
}

TEST(PossibleSchedule, NeedsItsCpus) {
  Machine machine;
  machine.cpus.relation = CpuRelation::kSeparateCores;
  EXPECT_EQ(PossibleSchedule(Schedule::kDuet, machine), Schedule::kDuet);
  EXPECT_EQ(PossibleSchedule(std::nullopt, machine), std::nullopt);
  machine.cpus.relation = CpuRelation::kOneCpu;
  EXPECT_EQ(PossibleSchedule(Schedule::kDuet, machine), std::nullopt);
  EXPECT_EQ(PossibleSchedule(Schedule::kAlternating, machine), Schedule::kAlternating);
}

TEST(ChooseRunsFor, ARunHasTimeForABlockOfEachVariant) {
  const auto runs = [](double start_ns, double min_time) {
    RunCosts costs;
    costs.start_ns = start_ns;
    return ChooseRunsFor(Schedule::kAlternating, costs, min_time, min_time * 1e9);
  };
  EXPECT_EQ(runs(0, 1), static_cast<int>(1e9 / (2 * kMeasuringPolicy.block_ns)));
  EXPECT_EQ(runs(10e6, 1), 20);
  EXPECT_EQ(runs(10e6, 0.3), 6) << "blocks are never shorter";
  EXPECT_EQ(runs(10e6, 0.1), kMeasuringPolicy.fewest_runs) << "so it takes longer";
  EXPECT_EQ(runs(10e6, 10), kMeasuringPolicy.max_runs);
}

TEST(ChooseRunsFor, CallsCountWithTheirSetUp) {
  RunCosts costs;
  costs.calls_ns = 150e6;
  EXPECT_EQ(ChooseRunsFor(Schedule::kInterleaved, costs, 1, 1e9), 6);
}

RunPlan PlanOfCalls(double call_ns) {
  RunPlan plan;
  plan.calls = 1;
  plan.batch = 10;
  plan.sample_ns = call_ns;
  return plan;
}

TEST(FewestCallsNs, HasAPairForEachAssignmentAndACheapWarmUp) {
  EXPECT_EQ(FewestCallsNs(PlanOfCalls(15e6)), 3 * 15e6);
  EXPECT_EQ(FewestCallsNs(PlanOfCalls(50e6)), 2 * 50e6);
  RunPlan fixed = PlanOfCalls(50e6);
  fixed.fixed_iterations = 10;
  EXPECT_EQ(FewestCallsNs(fixed), 50e6);
  fixed.calls = 0;
  EXPECT_EQ(FewestCallsNs(fixed), 0);
}

TEST(ShortestWarmUpNs, IsATimeOrPairs) {
  RunPlan plan;
  plan.batch = 1;
  plan.warm_up_ns = 3e9;  // what the user wants is no cost of a run
  plan.sample_ns = 50e3;
  EXPECT_NEAR(ShortestWarmUpNs(plan), 1e6, 1);
  plan.sample_ns = 10e6;
  EXPECT_EQ(ShortestWarmUpNs(plan), 10e6);
  plan.schedule = Schedule::kDuet;
  EXPECT_EQ(ShortestWarmUpNs(plan), 10e6) << "a pair";
  plan.calls = 1;
  EXPECT_EQ(ShortestWarmUpNs(plan), 0) << "these are in calls_ns";
}

TEST(SetSchedule, TheCpusAndTheSoloTimeAreThoseOfTheSchedule) {
  const Machine machine = TwoCpus();
  RunPlan plan;
  SetSchedule(Schedule::kDuet, machine, &plan);
  EXPECT_EQ(plan.cpus[1], 5);
  EXPECT_GT(plan.solo_share, 0);
  SetSchedule(Schedule::kInterleaved, machine, &plan);
  EXPECT_EQ(plan.cpus[0], 2);
  EXPECT_EQ(plan.cpus[1], 2);
  EXPECT_EQ(plan.other_cpu, 5) << "where that is idler";
  EXPECT_GT(plan.solo_share, 0);
  SetSchedule(Schedule::kAlternating, machine, &plan);
  EXPECT_EQ(plan.cpus[1], 2);
  EXPECT_EQ(plan.solo_share, 0) << "it is nothing but blocks";
  SetSchedule(Schedule::kDuet, machine, &plan);
  EXPECT_EQ(plan.cpus[1], 5);
  EXPECT_EQ(plan.other_cpu, -1);
  EXPECT_GT(plan.solo_share, 0);
}

TEST(SetSchedule, OfUnequalCpusAlwaysTheSame) {
  Machine machine = TwoCpus();
  machine.cpus.relation = CpuRelation::kUnequalCores;
  RunPlan plan;
  SetSchedule(Schedule::kInterleaved, machine, &plan);
  EXPECT_EQ(plan.other_cpu, -1) << "the ratio would depend on where a run is";
}

TEST(DivideTime, StartsAreNoMeasuringTimeAndARunHasAtLeastItsShare) {
  RunCosts costs;
  costs.start_ns = 2e6;
  RunPlan plan;
  DivideTime(1e9, 0, 10, costs, &plan);
  EXPECT_EQ(plan.budget_ns, 98e6);
  DivideTime(1e6, 5e8, 10, costs, &plan);
  EXPECT_EQ(plan.budget_ns, 5e7);
}

TEST(DivideTime, SetUpsAndWarmUpsAreNoMeasuringTime) {
  RunCosts costs = SetUpCosting(5e6);
  costs.warm_up_ns = 1e6;
  costs.first_calls_ns = 2e6;
  RunPlan plan;
  DivideTime(1e9, 0, 10, costs, &plan);
  EXPECT_EQ(plan.budget_ns, 89e6);
}

TEST(ExtendTimeout, AsDemandedOrFourTimesWhatTheRunIsExpectedToTake) {
  RunPlan plan;
  plan.batch = 1;
  plan.budget_ns = 25e6;
  plan.sample_ns = 60e3;
  ExtendTimeout(60, {}, &plan);
  EXPECT_EQ(plan.timeout_ns, 60e9);
  plan.sample_ns = 16e9;
  ExtendTimeout(60, {}, &plan);
  EXPECT_GE(plan.timeout_ns, 4 * 64e9) << "four samples in turns";
  RunPlan fixed;
  fixed.batch = 1;
  fixed.sample_ns = 1e9;
  fixed.fixed_iterations = 100;
  ExtendTimeout(60, {}, &fixed);
  EXPECT_GE(fixed.timeout_ns, 4 * 200e9);
  RunPlan long_run;
  long_run.budget_ns = 250e9;
  ExtendTimeout(60, {}, &long_run);
  EXPECT_GE(long_run.timeout_ns, 500e9);
}

TEST(FirstCallsNs, IsWhatNothingElseExplains) {
  RunPlan plan;
  plan.batch = 100;
  plan.sample_ns = 1e6;
  plan.budget_ns = 25e6;
  EXPECT_EQ(FirstCallsNs(plan, 25e6, 0, 1), 0);
  EXPECT_EQ(FirstCallsNs(plan, 120e6, 0, 1), 0) << "a machine that is busy";
  EXPECT_EQ(FirstCallsNs(plan, 725e6, 600e6, 1), 0) << "a set-up";
  EXPECT_NEAR(FirstCallsNs(plan, 725e6, 0, 1), 700e6, 10e6);
  EXPECT_EQ(FirstCallsNs(plan, 725e6, 0, 10), 0) << "there is much time";
  plan.sample_ns = 200e6;
  EXPECT_EQ(FirstCallsNs(plan, 725e6, 0, 1), 0) << "samples are long";
  plan.sample_ns = 1e6;
  plan.fixed_iterations = 100 * 400;
  EXPECT_EQ(FirstCallsNs(plan, 725e6, 0, 1), 0) << "400 samples are demanded";
}

TEST(ChooseRunsFor, ExpensiveFirstIterationsLeaveFiveRuns) {
  RunCosts costs;
  costs.first_calls_ns = 0.7e9;
  EXPECT_EQ(ChooseRunsFor(Schedule::kInterleaved, costs, 1, 0.3e9), 5);
  EXPECT_EQ(ChooseRunsFor(Schedule::kInterleaved, costs, 20, 20e9), 10);
}

TEST(IsSetupExpensive, AboveAQuarterOfTheTimeOfTenRuns) {
  RunCosts costs;
  costs.set_up_ns = 24e6;
  EXPECT_FALSE(IsSetupExpensive(costs, 1));
  costs.set_up_ns = 26e6;
  EXPECT_TRUE(IsSetupExpensive(costs, 1));
}

}  // namespace
}  // namespace duetbench
