#include "duetbench/experiment/pilot_rules.h"

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

TEST(RunExperiment, PilotsChooseTheScheduleAndAreNotInTheEstimate) {
  for (const bool is_busy : {false, true}) {
    FakeLauncher launcher;
    std::vector<RunPlan>& plans = launcher.plans;
    if (is_busy) launcher.waits_in = Schedule::kCrossed;
    launcher.change = [&plans](int, LaunchedRun* launched) {
      const double run = plans.back().run;  // runs differ
      for (PairRecord& pair : launched->result.pairs) pair.ticks[1] *= 0.97 + 1e-4 * run;
    };
    const Comparison comparison = RunExperiment(launcher);
    ASSERT_NE(comparison.estimate(), nullptr);
    const std::vector<Schedule> pilots =
        is_busy ? std::vector{Schedule::kAlternating, Schedule::kCrossed, Schedule::kInterleaved}
                : std::vector{Schedule::kAlternating, Schedule::kCrossed};
    EXPECT_THAT(comparison.estimate()->schedule_reason,
                HasSubstr(is_busy ? "beside a busy CPU" : "on two free CPUs"));
    ASSERT_EQ(plans.size(), static_cast<size_t>(comparison.estimate()->runs) + pilots.size());
    for (size_t i = 0; i < pilots.size(); ++i) {
      EXPECT_EQ(plans[i].schedule, pilots[i]);
      EXPECT_EQ(plans[i].batch, i == 0 ? 0 : kBatch) << "the first one calibrates for all";
      EXPECT_EQ(plans[i].alone_share, 0) << "the segments are those of the runs";
    }
    for (size_t i = pilots.size(); i < plans.size(); ++i) {
      EXPECT_EQ(plans[i].schedule, pilots.back());
      EXPECT_EQ(plans[i].cpus[1] == plans[i].cpus[0], is_busy) << "in turns on one CPU";
    }
  }
}

TEST(RunExperiment, UnlikeVariantsAreMeasuredInBlocks) {
  for (const double ratio : {0.2, 0.9, 1.1, 5.0}) {
    FakeLauncher launcher;
    std::vector<RunPlan>& plans = launcher.plans;
    launcher.change = [&plans, ratio](int, LaunchedRun* launched) {
      for (PairRecord& pair : launched->result.pairs) {
        pair.ticks[1] = pair.ticks[0] * ratio * (1 + 1e-3 * plans.back().run);
      }
    };
    const Comparison comparison = RunExperiment(launcher);
    ASSERT_NE(comparison.estimate(), nullptr);
    EXPECT_THAT(comparison.estimate()->schedule_reason, HasSubstr("steady state"));
    ASSERT_EQ(plans.size(), static_cast<size_t>(comparison.estimate()->runs) + 2);
    for (const RunPlan& plan : plans) EXPECT_EQ(plan.schedule, Schedule::kAlternating);
    EXPECT_TRUE(comparison.notices.empty());
  }
}

// The schedules of the pilots of variants that are alike, but for the ratios of the first pilots in
// blocks.
std::vector<Schedule> PilotsOfAlikeVariants(const std::vector<double>& ratios_in_blocks) {
  FakeLauncher launcher;
  launcher.waits_in = Schedule::kCrossed;
  std::vector<RunPlan>& plans = launcher.plans;
  size_t in_blocks = 0;
  launcher.change = [&](int, LaunchedRun* launched) {
    const bool is_in_blocks = plans.back().schedule == Schedule::kAlternating;
    const double ratio =
        is_in_blocks && in_blocks < ratios_in_blocks.size() ? ratios_in_blocks[in_blocks++] : 1;
    for (PairRecord& pair : launched->result.pairs) {
      pair.ticks[1] = pair.ticks[0] * ratio * (1 + 1e-3 * plans.back().run);
    }
  };
  const Comparison comparison = RunExperiment(launcher);
  EXPECT_NE(comparison.estimate(), nullptr);
  EXPECT_NE(comparison.estimate()->schedule, Schedule::kAlternating);
  std::set<uint32_t> runs;
  for (size_t i = 0; i < ratios_in_blocks.size(); ++i) runs.insert(plans[i].run);
  EXPECT_EQ(runs.size(), ratios_in_blocks.size()) << "each has other random choices";
  std::vector<Schedule> schedules;
  for (size_t i = 0; i < plans.size() - comparison.estimate()->runs; ++i) {
    schedules.push_back(plans[i].schedule);
  }
  return schedules;
}

TEST(RunExperiment, VariantsThatLookUnlikeOnceAreAlike) {
  constexpr Schedule kBlocks = Schedule::kAlternating;
  constexpr Schedule kCrossed = Schedule::kCrossed;
  constexpr Schedule kInterleaved = Schedule::kInterleaved;
  // A disturbed pilot.
  EXPECT_THAT(PilotsOfAlikeVariants({1.2}),
              ElementsAre(kBlocks, kBlocks, kBlocks, kCrossed, kInterleaved));
  EXPECT_THAT(PilotsOfAlikeVariants({1.08, 0.96}),
              ElementsAre(kBlocks, kBlocks, kCrossed, kInterleaved));
  // Each process has its memory elsewhere.
  EXPECT_THAT(PilotsOfAlikeVariants({1.4, 0.8, 1.3}),
              ElementsAre(kBlocks, kBlocks, kBlocks, kCrossed, kInterleaved));
  // Near 1, and far from the ratio in short turns.
  EXPECT_THAT(PilotsOfAlikeVariants({1.045}),
              ElementsAre(kBlocks, kCrossed, kInterleaved, kBlocks));
}

// Who runs in between leaves the branch predictors cold, in which unlike variants may look alike.
TEST(RunExperiment, PilotsThatWaitDoNotShowThatVariantsAreAlike) {
  for (const int waiting : {1, 2, 3}) {
    FakeLauncher launcher;
    std::vector<RunPlan>& plans = launcher.plans;
    launcher.change = [&plans, waiting](int call, LaunchedRun* launched) {
      const bool waits = call < waiting;
      if (waits) launched->wall_ns = launched->result.wall_ns = plans.back().budget_ns;
      for (PairRecord& pair : launched->result.pairs) {
        pair.ticks[1] = pair.ticks[0] * (waits ? 1 : 2.5) * (1 + 1e-3 * plans.back().run);
      }
    };
    const Comparison comparison = RunExperiment(launcher);
    ASSERT_NE(comparison.estimate(), nullptr);
    EXPECT_EQ(comparison.estimate()->schedule, Schedule::kAlternating) << waiting;
    EXPECT_EQ(plans.size(), static_cast<size_t>(comparison.estimate()->runs) + 3) << waiting;
    EXPECT_THAT(comparison.estimate()->schedule_reason, HasSubstr("do not show"));
  }
}

TEST(RunExperiment, ExpensiveSetUpsAreMeasuredInBlocksWithoutOtherPilots) {
  FakeLauncher launcher;
  std::vector<RunPlan>& plans = launcher.plans;
  launcher.change = [&plans](int, LaunchedRun* launched) {
    launched->result.set_up_ns = 40e6;
    for (PairRecord& pair : launched->result.pairs) {
      pair.ticks[1] = pair.ticks[0] * (1 + 1e-3 * plans.back().run);
    }
  };
  const Comparison comparison = RunExperiment(launcher);
  ASSERT_NE(comparison.estimate(), nullptr);
  EXPECT_EQ(comparison.estimate()->schedule, Schedule::kAlternating);
  EXPECT_EQ(plans.size(), static_cast<size_t>(comparison.estimate()->runs) + 1);
}

TEST(RunExperiment, PilotsFindThatVariantsDisturbEachOther) {
  for (const bool is_busy : {false, true}) {
    FakeLauncher launcher;
    std::vector<RunPlan>& plans = launcher.plans;
    if (is_busy) launcher.waits_in = Schedule::kCrossed;
    launcher.change = [&plans](int, LaunchedRun* launched) {
      if (plans.back().budget_ns > 0) GiveColdCaches(plans.back(), launched);
    };
    const Comparison comparison = RunExperiment(launcher);
    const Estimate* const estimate = comparison.estimate();
    ASSERT_NE(estimate, nullptr);
    EXPECT_EQ(estimate->schedule, Schedule::kAlternating);
    const size_t pilots = is_busy ? 4 : 3;
    EXPECT_EQ(plans.size(), static_cast<size_t>(estimate->runs) + pilots) << "no run is given up";
    EXPECT_NEAR(estimate->interval.ratio, 1, 0.01);
    ASSERT_TRUE(estimate->mutual_disturbance.has_value());
    EXPECT_NEAR(estimate->mutual_disturbance->ratio_together, 1.1, 0.01);
    ASSERT_EQ(comparison.notices.size(), 1u);
    EXPECT_EQ(comparison.notices[0].kind, Notice::Kind::kDisturbEachOther);
    // By the schedule that would have been chosen.
    EXPECT_EQ(comparison.notices[0].text, is_busy ? "interleaved" : "concurrent");
  }
}

TEST(PilotRatio, IsTheMedianOfNewOverOld) {
  EXPECT_NEAR(PilotRatio(Noisy(0.01, 200, -1)), std::exp(-1), 0.02);
  EXPECT_NEAR(PilotRatio(Noisy(0.01, 200, 1)), std::exp(1), 0.02);
  EXPECT_EQ(PilotRatio(RunResult()), 1);
  RunResult half = Noisy(0.01, 200);
  for (PairRecord& pair : half.pairs) pair.iterations[1] *= 2;
  EXPECT_NEAR(PilotRatio(half), 0.5, 0.02);
}

// The schedules of the runs of an experiment that finds no disturbance.
std::set<Schedule> SchedulesOf(const ExperimentOptions& options) {
  FakeLauncher launcher;
  launcher.change = [](int call, LaunchedRun* launched) {
    launched->result.pairs = Noisy(0.0005, 200).pairs;
    for (PairRecord& pair : launched->result.pairs) pair.ticks[1] *= 1 + 1e-5 * (call % 3);
  };
  const Comparison comparison = RunExperiment(launcher, options);
  EXPECT_NE(comparison.estimate(), nullptr);
  std::set<Schedule> schedules;
  for (const RunPlan& plan : launcher.plans) schedules.insert(plan.schedule);
  return schedules;
}

TEST(RunExperiment, WithoutPilotsVariantsAreMeasuredInBlocks) {
  ExperimentOptions one_run;
  one_run.runs = 1;
  EXPECT_THAT(SchedulesOf(one_run), ElementsAre(Schedule::kAlternating));
  ExperimentOptions fixed;
  fixed.fixed_iterations = 10'000;
  EXPECT_THAT(SchedulesOf(fixed), ElementsAre(Schedule::kInterleaved));
  fixed.schedule = Schedule::kDuet;
  EXPECT_THAT(SchedulesOf(fixed), ElementsAre(Schedule::kDuet)) << "it is demanded";
}

TEST(RunExperiment, RunsOfAlikeVariantsWithoutSegmentsAreInterleaved) {
  ExperimentOptions options;
  FakeLauncher launcher;
  std::vector<RunPlan>& plans = launcher.plans;
  for (const double min_time : {0.5, 20.0}) {
    plans.clear();
    launcher.change = [](int call, LaunchedRun* launched) {
      launched->result.sample_ns = 5e6;
      launched->result.pairs = Noisy(0.002, 200).pairs;
      for (PairRecord& pair : launched->result.pairs) pair.ticks[1] *= 1 + 1e-5 * (call % 3);
    };
    options.min_time = min_time;
    const Comparison comparison = RunExperiment(launcher, options);
    ASSERT_NE(comparison.estimate(), nullptr);
    const Estimate& estimate = *comparison.estimate();
    const bool has_segments = min_time > 1;
    EXPECT_EQ(plans[1].schedule, Schedule::kCrossed) << "the pilot";
    EXPECT_EQ(estimate.schedule, has_segments ? Schedule::kCrossed : Schedule::kInterleaved);
    if (has_segments) continue;
    EXPECT_THAT(estimate.schedule_reason, HasSubstr("too short to tell"));
  }
}

}  // namespace
}  // namespace duetbench
