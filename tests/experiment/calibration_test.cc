// The schedule of two variants: with which one the runs begin, and what changes it.
#include "duetbench/experiment/calibration.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Schedule> SchedulesOf(const FakeLauncher& launcher) {
  std::vector<Schedule> schedules;
  for (const RunPlan& plan : launcher.plans) schedules.push_back(plan.schedule);
  return schedules;
}

TEST(RunExperiment, AlikeVariantsTakeShortTurns) {
  FakeLauncher launcher;
  launcher.ratio = [](const RunPlan&, int) { return 0.98; };
  const Comparison comparison = RunExperiment(launcher);
  ASSERT_TRUE(comparison.has_ratio());
  const std::vector<RunPlan>& plans = launcher.plans;
  EXPECT_EQ(plans.size(), static_cast<size_t>(comparison.runs) + 1);
  EXPECT_EQ(plans[0].schedule, Schedule::kAlternating);
  EXPECT_EQ(plans[0].batch, 0) << "the first one calibrates for all";
  for (size_t i = 1; i < plans.size(); ++i) {
    EXPECT_EQ(plans[i].schedule, Schedule::kInterleaved);
    EXPECT_EQ(plans[i].cpus[1], plans[i].cpus[0]);
    EXPECT_EQ(plans[i].batch, kBatch);
    EXPECT_GT(plans[i].solo_share, 0);
  }
}

TEST(RunExperiment, UnlikeVariantsAreMeasuredInBlocks) {
  for (const double ratio : {0.2, 0.85, 1.15, 5.0}) {
    FakeLauncher launcher;
    launcher.ratio = [ratio](const RunPlan&, int) { return ratio; };
    const Comparison comparison = RunExperiment(launcher);
    ASSERT_TRUE(comparison.has_ratio());
    EXPECT_THAT(comparison.schedule_reason, HasSubstr("steady state"));
    EXPECT_EQ(launcher.plans.size(), static_cast<size_t>(comparison.runs) + 1);
    EXPECT_THAT(SchedulesOf(launcher), Each(Schedule::kAlternating));
    EXPECT_TRUE(comparison.notices.empty());
  }
}

TEST(RunExperiment, AlikeVariantsThatLookUnlikeOnceTakeShortTurns) {
  FakeLauncher launcher;
  launcher.ratio = [](const RunPlan&, int call) { return call == 0 ? 1.4 : 1.0; };
  const Comparison comparison = RunExperiment(launcher);
  ASSERT_TRUE(comparison.has_ratio());
  std::vector<Schedule> schedules = SchedulesOf(launcher);
  EXPECT_EQ(schedules[1], Schedule::kAlternating);
  schedules.erase(schedules.begin(), schedules.begin() + 2);
  EXPECT_THAT(schedules, Each(Schedule::kInterleaved));
  EXPECT_EQ(comparison.runs, static_cast<int>(schedules.size()));
}

TEST(RunExperiment, AlikeVariantsThatLayoutsMakeUnlikeTakeShortTurns) {
  FakeLauncher launcher;
  launcher.ratio = [](const RunPlan&, int call) {
    return call < 2 ? 1.4 : call == 2 ? 1 / 1.4 : 1.0;
  };
  const Comparison comparison = RunExperiment(launcher);
  ASSERT_TRUE(comparison.has_ratio());
  const std::vector<Schedule> schedules = SchedulesOf(launcher);
  EXPECT_EQ(std::count(schedules.begin(), schedules.end(), Schedule::kAlternating), 3)
      << "the calibration, and two runs with one layout";
  EXPECT_EQ(schedules.back(), Schedule::kInterleaved);
}

// A calibration beside a busy process may read 1.
TEST(RunExperiment, UnlikeVariantsThatLookAlikeOnceAreMeasuredInBlocks) {
  for (const bool waits : {false, true}) {
    FakeLauncher launcher;
    launcher.ratio = [](const RunPlan&, int call) { return call == 0 ? 1.0 : 2.5; };
    if (waits) launcher.waits_in = Schedule::kAlternating;
    const Comparison comparison = RunExperiment(launcher);
    ASSERT_TRUE(comparison.has_ratio());
    EXPECT_EQ(comparison.schedule, Schedule::kAlternating);
    EXPECT_EQ(launcher.plans[1].schedule, waits ? Schedule::kAlternating : Schedule::kInterleaved);
    EXPECT_NEAR(comparison.interval.ratio, 2.5, 0.1);
  }
}

// The time of an experiment is divided again.
TEST(RunExperiment, AChangeOfScheduleTakesNoMoreTime) {
  FakeLauncher launcher;
  launcher.ratio = [](const RunPlan&, int call) { return call < 5 ? 1.0 : 1.5; };
  double all_s = 0;
  launcher.change = [&](int, RunOfPairs* launched) {
    const RunPlan& plan = launcher.plans.back();
    launched->front().wall_ns = plan.budget_ns;
    launched->front().process_ns = plan.budget_ns + 3e6;
    all_s += launched->front().process_ns * 1e-9;
  };
  const Comparison comparison = RunExperiment(launcher);
  ASSERT_TRUE(comparison.has_ratio());
  EXPECT_EQ(launcher.plans[1].schedule, Schedule::kInterleaved);
  EXPECT_EQ(comparison.schedule, Schedule::kAlternating);
  EXPECT_LT(all_s, 1.2);
}

TEST(RunExperiment, ExpensiveSetUpsAreMeasuredInBlocksAndLongSamplesSliced) {
  for (const bool is_set_up : {false, true}) {
    FakeLauncher launcher;
    launcher.ratio = [](const RunPlan&, int) { return 1.0; };
    launcher.change = [&](int, RunOfPairs* launched) {
      (is_set_up ? launched->front().set_up_ns : launched->front().sample_ns) = 40e6;
    };
    const Comparison comparison = RunExperiment(launcher);
    ASSERT_TRUE(comparison.has_ratio());
    const auto schedules = SchedulesOf(launcher);
    EXPECT_EQ(schedules[0], Schedule::kAlternating) << "a calibration";
    EXPECT_EQ(schedules[1], Schedule::kAlternating) << "each in its steady state, to compare with";
    EXPECT_THAT(std::vector<Schedule>(schedules.begin() + 2, schedules.end()),
                Each(is_set_up ? Schedule::kAlternating : Schedule::kSliced));
  }
}

// Learned branches are lost in the turns of the kernel.
TEST(RunExperiment, WhatIsSlowerSlicedIsMeasuredInBlocks) {
  FakeLauncher launcher;
  launcher.ratio = [](const RunPlan&, int) { return 1.0; };
  launcher.change = [&](int, RunOfPairs* launched) {
    launched->front().sample_ns = 40e6;
    const bool is_sliced = launcher.plans.back().schedule == Schedule::kSliced;
    for (PairRecord& pair : launched->front().pairs) {
      pair.ticks[0] = pair.ticks[1] = is_sliced ? 1500 : 1000;
    }
  };
  const Comparison comparison = RunExperiment(launcher);
  ASSERT_TRUE(comparison.has_ratio());
  EXPECT_EQ(comparison.schedule, Schedule::kAlternating);
  EXPECT_EQ(std::count_if(launcher.plans.begin(), launcher.plans.end(),
                          [](const RunPlan& plan) { return plan.schedule == Schedule::kSliced; }),
            1);
}

// Pauses and the set-ups of calls are time of the variants.
TEST(RunExperiment, WhoPausesDoesNotWaitForItsCpu) {
  TimeAccount account;
  account.wall_ns = 100;
  account.kept_ns = 10;
  EXPECT_TRUE(Waited(account));
  account.call_set_ups_ns = 80;
  EXPECT_FALSE(Waited(account));
}

TEST(RunExperiment, RunsFindThatVariantsDisturbEachOther) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int, RunOfPairs* launched) {
    const RunPlan& plan = launcher.plans.back();
    if (plan.budget_ns > 0) GiveColdCaches(plan, launched);
  };
  const Comparison comparison = RunExperiment(launcher);
  ASSERT_NE(&comparison, nullptr);
  EXPECT_EQ(comparison.schedule, Schedule::kAlternating);
  EXPECT_NEAR(comparison.interval.ratio, 1, 0.01);
  ASSERT_TRUE(comparison.mutual_disturbance.has_value());
  EXPECT_NEAR(comparison.mutual_disturbance->ratio_together, 1.1, 0.01);
  ASSERT_EQ(comparison.notices.size(), 1u);
  EXPECT_EQ(comparison.notices[0].kind, Notice::Kind::kDisturbEachOther);
  EXPECT_EQ(comparison.notices[0].text, "interleaved");
}

TEST(MedianRatio, IsTheMedianOfNewOverOld) {
  EXPECT_NEAR(MedianRatio(Noisy(0.01, 200, -1)), std::exp(-1), 0.02);
  EXPECT_NEAR(MedianRatio(Noisy(0.01, 200, 1)), std::exp(1), 0.02);
  EXPECT_EQ(MedianRatio(RunResult()), 1);
  RunResult half = Noisy(0.01, 200);
  for (PairRecord& pair : half.pairs) pair.iterations[1] *= 2;
  EXPECT_NEAR(MedianRatio(half), 0.5, 0.02);
}

TEST(RunExperiment, WithoutAChoiceTheFormOfTheRunsDecides) {
  const auto schedules_of = [](const ExperimentOptions& options) {
    FakeLauncher launcher;
    launcher.ratio = [](const RunPlan&, int) { return 1.0; };
    EXPECT_TRUE(RunExperiment(launcher, options).has_ratio());
    const std::vector<Schedule> schedules = SchedulesOf(launcher);
    return std::set<Schedule>(schedules.begin(), schedules.end());
  };
  ExperimentOptions one_run;
  one_run.runs = 1;
  EXPECT_THAT(schedules_of(one_run), ElementsAre(Schedule::kAlternating));
  ExperimentOptions fixed;
  fixed.fixed_iterations = 10'000;
  EXPECT_THAT(schedules_of(fixed), ElementsAre(Schedule::kInterleaved));
  fixed.schedule = Schedule::kDuet;
  EXPECT_THAT(schedules_of(fixed), ElementsAre(Schedule::kDuet)) << "it is demanded";
}

}  // namespace
}  // namespace duetbench
