#include <cmath>

#include "duetbench/decide/comparison.h"
#include "gtest/gtest.h"
#include "tests/measure/pair_of.h"

namespace duetbench {
namespace {

// Its process took `process_ns`; 0: it was in this process.
RunResult RunOfThreePairs(double process_ns) {
  RunResult result;
  result.process_ns = process_ns;
  result.wall_ns = 1000;
  result.set_up_ns = 100;
  result.unmeasured_ns = 80;
  result.pairs = {PairOf(100, 60), PairOf(40, 40, 1, kOldPreempted), PairOf(10, 10, 0, kSolo)};
  return result;
}

RunPlan PlanOf(Schedule schedule) {
  RunPlan plan;
  plan.schedule = schedule;
  plan.ns_per_tick = 2;
  return plan;
}

TimeAccount AccountOf(Schedule schedule, double process_ns) {
  TimeAccount account;
  account.AddRun(RunOfThreePairs(process_ns), PlanOf(schedule));
  return account;
}

TEST(TimeAccount, SamplesAtTheSameTimeShareTheirTime) {
  const TimeAccount account = AccountOf(Schedule::kDuet, 1500);
  EXPECT_EQ(account.wall_ns, 1500);
  EXPECT_EQ(account.start_ns, 500);
  EXPECT_EQ(account.set_up_ns, 100);
  EXPECT_EQ(account.unmeasured_ns, 40);
  EXPECT_EQ(account.kept_ns, 160);
  EXPECT_EQ(account.dropped_ns, 80);
  EXPECT_EQ(account.solo_ns, 20);
  EXPECT_EQ(account.waiting_ns(), 600);
}

TEST(TimeAccount, SamplesThatShareACpuHaveTheirTimesOnIt) {
  const TimeAccount account = AccountOf(Schedule::kSliced, 1500);
  EXPECT_EQ(account.unmeasured_ns, 40) << "while the other one had the CPU, too";
  EXPECT_EQ(account.kept_ns, 320);
}

TEST(TimeAccount, SamplesOneAfterTheOtherDoNot) {
  const TimeAccount account = AccountOf(Schedule::kAlternating, 0);
  EXPECT_EQ(account.wall_ns, 1000) << "a run in this process";
  EXPECT_EQ(account.start_ns, 0);
  EXPECT_EQ(account.kept_ns, 360) << "solo segments are all that there is";
  EXPECT_EQ(account.solo_ns, 0);
}

TEST(TimeAccount, TimesThatTheVariantsReportAreNoTimesOfSamples) {
  RunPlan plan = PlanOf(Schedule::kDuet);
  plan.manual_time = 1;
  TimeAccount account;
  account.AddRun(RunOfThreePairs(1500), plan);
  EXPECT_EQ(account.start_ns, 500);
  EXPECT_TRUE(std::isnan(account.kept_ns) && std::isnan(account.waiting_ns()));
}

TEST(TimeAccount, EndPilotsMakesTheRunsSoFarPilots) {
  TimeAccount account = AccountOf(Schedule::kDuet, 1500);
  account.EndPilots();
  account.AddRun(RunOfThreePairs(1500), PlanOf(Schedule::kAlternating));
  EXPECT_EQ(account.wall_ns, 3000);
  EXPECT_EQ(account.pilots_ns, 1500);
  EXPECT_EQ(account.start_ns, 500);
}

TEST(TimeAccount, SetUpOfCallsIsNoWaiting) {
  RunResult result = RunOfThreePairs(0);
  result.call_set_ups_ns = 120;
  const TimeAccount without = AccountOf(Schedule::kDuet, 0);
  TimeAccount account;
  account.AddRun(result, PlanOf(Schedule::kDuet));
  EXPECT_EQ(account.call_set_ups_ns, 60);
  EXPECT_EQ(account.waiting_ns(), without.waiting_ns() - 60);
}

TEST(TimeAccount, PausesWhileTheOtherVariantHasTheCpuAreNoMoreSetUp) {
  RunResult result = RunOfThreePairs(0);
  result.call_set_ups_ns = 1600;
  TimeAccount account;
  account.AddRun(result, PlanOf(Schedule::kSliced));
  EXPECT_EQ(account.call_set_ups_ns, 1000 - 100 - 40 - 520);
  EXPECT_EQ(account.waiting_ns(), 0);
}

}  // namespace
}  // namespace duetbench
