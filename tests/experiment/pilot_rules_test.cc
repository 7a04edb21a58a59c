#include "duetbench/experiment/pilot_rules.h"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "duetbench/experiment/pacing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ExperimentResult Experiment(FakeLauncher& launcher) {
  return RunExperiment(ExperimentOptions(), TwoCpus(), launcher.Launcher(), NoProgress);
}

TEST(RunExperiment, PilotsChooseTheScheduleAndAreNotInTheEstimate) {
  FakeLauncher launcher;
  std::vector<RunPlan>& plans = launcher.plans;
  launcher.change = [&plans](int, LaunchedRun* launched) {
    const double spread = plans.back().schedule == Schedule::kInterleaved ? 0.001 : 0.01;
    if (plans.back().budget_ns > 0) launched->result.pairs = Noisy(spread, 200, 0.1).pairs;
    launched->result.pairs.front().ticks[1] += plans.back().run;  // runs differ
  };
  const ExperimentResult comparison = Experiment(launcher);
  ASSERT_NE(comparison.estimate(), nullptr);
  EXPECT_EQ(comparison.estimate()->schedule, Schedule::kInterleaved);
  EXPECT_THAT(comparison.estimate()->schedule_reason, HasSubstr("interleaved 0.0"));
  EXPECT_TRUE(comparison.estimate()->has_narrowest_pilot);
  const int runs = comparison.estimate()->runs;
  ASSERT_EQ(plans.size(), static_cast<size_t>(runs) + 2);
  const Schedule pilots[] = {Schedule::kCrossed, Schedule::kInterleaved};
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(plans[i].schedule, pilots[i]);
    EXPECT_EQ(plans[i].batch, i == 0 ? 0 : kBatch) << "the first one calibrates for all";
  }
  for (size_t i = 1; i < plans.size(); ++i) {
    EXPECT_EQ(plans[i].schedule, Schedule::kInterleaved);
    EXPECT_EQ(plans[i].cpus[1], plans[i].cpus[0]) << "on one CPU";
  }
}

// The last plan of an experiment in which the pilots choose turns. `change` is told the number of
// the call and the plan of the calibration.
RunPlan LastPlanInTurns(const std::function<void(int, const RunPlan&, PairRecord*)>& change) {
  FakeLauncher launcher;
  std::vector<RunPlan>& plans = launcher.plans;
  launcher.change = [&plans, &change](int call, LaunchedRun* launched) {
    launched->result.pairs = Noisy(call == 0 ? 0.01 : 0.001, 200).pairs;
    for (PairRecord& pair : launched->result.pairs) {
      change(call, plans.front(), &pair);
      pair.ticks[1] *= 1 + 1e-5 * plans.back().run;  // runs differ
    }
  };
  const ExperimentResult comparison = Experiment(launcher);
  EXPECT_NE(comparison.estimate(), nullptr);
  EXPECT_EQ(plans.back().schedule, Schedule::kInterleaved);
  return plans.back();
}

// The crossed pilot, which calibrates, takes `slowdown` times as long as turns.
uint64_t BatchInTurns(double slowdown) {
  return LastPlanInTurns([slowdown](int call, const RunPlan&, PairRecord* pair) {
           for (double& ticks : pair->ticks) ticks *= call == 0 ? slowdown : 1;
         })
      .batch;
}

TEST(RunExperiment, SamplesInTurnsAreAsLongAsThoseOfTheCalibration) {
  EXPECT_NEAR(static_cast<double>(BatchInTurns(3)), 3.0 * kBatch, 0.05 * kBatch);
  EXPECT_EQ(BatchInTurns(0.5), kBatch) << "not shorter";
  EXPECT_EQ(BatchInTurns(12), 10 * kBatch) << "within reason";
}

// The calibration shows that CPU `slower` (-1: none) takes 1.5 times as long.
RunPlan LastPlanWithSlowerCpu(int slower) {
  return LastPlanInTurns([slower](int call, const RunPlan& calibration, PairRecord* pair) {
    for (int variant = 0; variant < 2; ++variant) {
      pair->cpus[variant] = calibration.cpus[pair->assignment == 0 ? variant : 1 - variant];
      pair->ticks[variant] *= call == 0 && pair->cpus[variant] == slower ? 300 : 200;
    }
  });
}

TEST(RunExperiment, TurnsAvoidACpuThatThePilotsFoundSlower) {
  const Machine machine = TwoCpus();
  const int(&both)[2] = machine.cpus.cpus;
  EXPECT_EQ(LastPlanWithSlowerCpu(-1).other_cpu, both[1]) << "either";
  for (const int slower : {0, 1}) {
    const RunPlan plan = LastPlanWithSlowerCpu(both[slower]);
    EXPECT_EQ(plan.cpus[0], both[1 - slower]);
    EXPECT_EQ(plan.cpus[1], both[1 - slower]);
    EXPECT_EQ(plan.other_cpu, -1);
  }
}

// Samples of four set-ups that take `set_up_ns` fill `kept_share` of the calibration. Where the
// variants run at the same time without segments, new takes `together` times as long as in one.
FakeLauncher WithDearSetUps(double set_up_ns, double kept_share, double together) {
  FakeLauncher launcher;
  launcher.change = [=](int call, LaunchedRun* launched) {
    launched->result.set_up_ns = set_up_ns / (call == 0 ? 1 : 2);
    const double samples_ns = call == 0 ? kept_share * 25e6 : 50e6;
    const double pair_ns = samples_ns / static_cast<double>(launched->result.pairs.size());
    for (size_t i = 0; i < launched->result.pairs.size(); ++i) {
      PairRecord& pair = launched->result.pairs[i];
      const bool is_alone = call > 0 && i % 10 >= 6;
      if (is_alone) pair.flags |= kAlone;
      pair.pair_index = i;
      pair.ticks[0] = pair_ns / TwoCpus().ns_per_tick;
      pair.ticks[1] = pair.ticks[0] * (is_alone ? 1 : together);
      pair.ticks[1] *= 1 + 1e-5 * (call % 3 + 1) * static_cast<double>(i % 3);  // runs differ
    }
  };
  return launcher;
}

TEST(RunExperiment, DearSetUpsAreDoneTwiceARunInPlaceOfFourTimes) {
  FakeLauncher launcher = WithDearSetUps(40e6, 0.8, 1);
  const ExperimentResult comparison = Experiment(launcher);
  const Estimate* const estimate = comparison.estimate();
  ASSERT_NE(estimate, nullptr);
  EXPECT_EQ(estimate->schedule, Schedule::kDuet);
  EXPECT_FALSE(estimate->has_narrowest_pilot);
  ASSERT_EQ(launcher.plans.size(), static_cast<size_t>(estimate->runs) + 2);
  EXPECT_EQ(launcher.plans[1].schedule, Schedule::kDuet) << "a pilot, with time alone";
  EXPECT_EQ(launcher.plans[1].is_pilot, 1u);
  EXPECT_GT(PaceAlone(launcher.plans[1], kSampleNs).segments, 1u);
  const auto with_segment =
      std::count_if(launcher.plans.begin() + 2, launcher.plans.end(),
                    [](const RunPlan& plan) { return PaceAlone(plan, kSampleNs).segments == 1; });
  EXPECT_GE(2 * with_segment, estimate->runs) << "at least every second run";
  EXPECT_TRUE(comparison.notices.empty());
}

// Their caches may differ, which swaps of the CPUs would leave cold.
TEST(RunExperiment, DearSetUpsOfUnequalVariantsAreMeasuredInTurns) {
  for (const double ratio : {0.9, 1.1}) {
    FakeLauncher launcher = WithDearSetUps(40e6, 0.8, 1);
    const auto alike = launcher.change;
    launcher.change = [=](int call, LaunchedRun* launched) {
      alike(call, launched);
      for (PairRecord& pair : launched->result.pairs) pair.ticks[1] *= ratio;
    };
    const ExperimentResult comparison = Experiment(launcher);
    ASSERT_NE(comparison.estimate(), nullptr);
    EXPECT_EQ(comparison.estimate()->schedule, Schedule::kInterleaved);
    EXPECT_TRUE(comparison.notices.empty());
  }
}

TEST(RunExperiment, DearSetUpsOfVariantsThatDisturbEachOtherAreMeasuredInTurns) {
  FakeLauncher launcher = WithDearSetUps(40e6, 0.8, 1.2);
  const std::vector<RunPlan>& plans = launcher.plans;
  launcher.change = [&plans, disturbed = launcher.change](int call, LaunchedRun* launched) {
    disturbed(call, launched);
    if (plans.back().schedule != Schedule::kInterleaved) return;
    for (PairRecord& pair : launched->result.pairs) {
      if ((pair.flags & kAlone) == 0) pair.ticks[1] /= 1.2;
    }
  };
  const ExperimentResult comparison = Experiment(launcher);
  const Estimate* const estimate = comparison.estimate();
  ASSERT_NE(estimate, nullptr);
  EXPECT_EQ(launcher.plans[2].is_pilot, 1u) << "a second pilot confirms it";
  EXPECT_EQ(launcher.plans[3].schedule, Schedule::kInterleaved);
  ASSERT_FALSE(comparison.notices.empty());
  EXPECT_EQ(comparison.notices[0].kind, Notice::Kind::kDisturbEachOther);
}

TEST(RunExperiment, DearSetUpsAreMeasuredInTurnsWhereNoPilotIsWorthIt) {
  FakeLauncher launcher = WithDearSetUps(200e6, 0.8, 1);
  const ExperimentResult comparison = Experiment(launcher);
  ASSERT_NE(comparison.estimate(), nullptr);
  EXPECT_EQ(comparison.estimate()->schedule, Schedule::kInterleaved);
  EXPECT_FALSE(comparison.estimate()->has_narrowest_pilot);
  EXPECT_EQ(launcher.plans.size(), static_cast<size_t>(comparison.estimate()->runs) + 1);
}

TEST(RunExperiment, DearSetUpsAreComparedWhereADuetWouldWait) {
  FakeLauncher launcher = WithDearSetUps(40e6, 0.45, 1);
  const ExperimentResult comparison = Experiment(launcher);
  const Estimate* const estimate = comparison.estimate();
  ASSERT_NE(estimate, nullptr);
  EXPECT_EQ(estimate->schedule, Schedule::kInterleaved);
  EXPECT_THAT(estimate->schedule_reason, HasSubstr(" % but waits for CPUs, interleaved "));
  EXPECT_EQ(launcher.plans.size(), static_cast<size_t>(estimate->runs) + 2);
}

TEST(RunExperiment, PilotsFindThatVariantsDisturbEachOther) {
  for (const double crossed : {0.0005, 0.02}) {
    FakeLauncher launcher;
    std::vector<RunPlan>& plans = launcher.plans;
    launcher.change = [&plans, crossed](int, LaunchedRun* launched) {
      if (plans.back().budget_ns > 0) GiveColdCaches(plans.back(), crossed, launched);
    };
    const ExperimentResult comparison = Experiment(launcher);
    const Estimate* const estimate = comparison.estimate();
    ASSERT_NE(estimate, nullptr);
    EXPECT_EQ(estimate->schedule, Schedule::kAlternating);
    EXPECT_EQ(plans.size(), static_cast<size_t>(estimate->runs) + 3)
        << "a second pilot confirms it, and no run is given up";
    EXPECT_EQ(plans[0].alone_share, 0) << "the segments are those of the other pilot";
    EXPECT_NEAR(estimate->interval.ratio, 1.1, 0.01);
    ASSERT_TRUE(estimate->mutual_disturbance.has_value());
    EXPECT_NEAR(estimate->mutual_disturbance->ratio_together, 1.2, 0.01);
    ASSERT_EQ(comparison.notices.size(), 1u);
    EXPECT_EQ(comparison.notices[0].kind, Notice::Kind::kDisturbEachOther);
    // By the schedule that would have been chosen.
    EXPECT_EQ(comparison.notices[0].text, crossed < 0.001 ? "together" : "in turns");
  }
}

TEST(RunExperiment, WhatASecondPilotDoesNotFindWasChance) {
  FakeLauncher launcher;
  std::vector<RunPlan>& plans = launcher.plans;
  launcher.change = [&plans](int call, LaunchedRun* launched) {
    if (plans.back().budget_ns <= 0) return;
    GiveColdCaches(plans.back(), 0.02, launched);
    if (call <= 1) return;
    const RunPlan in_turns;  // without time alone
    GiveColdCaches(in_turns, 0.02, launched);
    for (PairRecord& pair : launched->result.pairs) {
      pair.ticks[1] *= 1 + 1e-4 * (plans.back().run % 3);
    }
  };
  const ExperimentResult comparison = Experiment(launcher);
  const Estimate* const estimate = comparison.estimate();
  ASSERT_NE(estimate, nullptr);
  EXPECT_EQ(estimate->schedule, Schedule::kInterleaved);
  EXPECT_EQ(plans.size(), static_cast<size_t>(estimate->runs) + 3);
  EXPECT_FALSE(estimate->mutual_disturbance.has_value());
  EXPECT_TRUE(comparison.notices.empty());
}

TEST(RunExperiment, WhatDisturbsAtTheSameTimeOnlyIsMeasuredInTurns) {
  FakeLauncher launcher;
  std::vector<RunPlan>& plans = launcher.plans;
  launcher.change = [&plans](int, LaunchedRun* launched) {
    const RunPlan& plan = plans.back();
    if (plan.budget_ns <= 0) return;
    GiveColdCaches(plan, 0.0005, launched);
    for (PairRecord& pair : launched->result.pairs) {
      const bool is_together = plan.schedule == Schedule::kCrossed;
      pair.ticks[1] = pair.ticks[0] * (is_together ? 1.5 : 1.1) * (1 + 1e-4 * (plan.run % 3));
    }
    if (plan.schedule == Schedule::kInterleaved) launched->result.pairs[0].ticks[1] *= 1.1;
  };
  const ExperimentResult comparison = Experiment(launcher);
  const Estimate* const estimate = comparison.estimate();
  ASSERT_NE(estimate, nullptr);
  EXPECT_EQ(estimate->schedule, Schedule::kInterleaved);
  EXPECT_FALSE(estimate->has_narrowest_pilot);
  EXPECT_NEAR(estimate->interval.ratio, 1.1, 0.01);
  ASSERT_EQ(comparison.notices.size(), 1u);
  EXPECT_EQ(comparison.notices[0].text, "together");
  ASSERT_TRUE(estimate->mutual_disturbance.has_value());
  EXPECT_NEAR(estimate->mutual_disturbance->ratio_together, 1.5, 0.01) << "what was found";
}

// The schedules of the runs of an experiment that finds no disturbance.
std::set<Schedule> SchedulesOf(const ExperimentOptions& options) {
  FakeLauncher launcher;
  launcher.change = [](int call, LaunchedRun* launched) {
    launched->result.pairs = Noisy(0.0005, 200).pairs;
    for (PairRecord& pair : launched->result.pairs) pair.ticks[1] *= 1 + 1e-5 * (call % 3);
  };
  const ExperimentResult comparison =
      RunExperiment(options, TwoCpus(), launcher.Launcher(), NoProgress);
  EXPECT_NE(comparison.estimate(), nullptr);
  std::set<Schedule> schedules;
  for (const RunPlan& plan : launcher.plans) schedules.insert(plan.schedule);
  return schedules;
}

TEST(RunExperiment, WithoutPilotsOneVariantRunsAtATime) {
  for (const double min_time : {0.01, 0.05, 0.1, 0.15, 0.199}) {
    ExperimentOptions options;
    options.min_time = min_time;
    EXPECT_THAT(SchedulesOf(options), ElementsAre(Schedule::kInterleaved)) << min_time;
  }
  ExperimentOptions one_run;
  one_run.runs = 1;
  EXPECT_THAT(SchedulesOf(one_run), ElementsAre(Schedule::kInterleaved));
  ExperimentOptions fixed;
  fixed.fixed_iterations = 10'000;
  EXPECT_THAT(SchedulesOf(fixed), ElementsAre(Schedule::kInterleaved));
  fixed.schedule = Schedule::kDuet;
  EXPECT_THAT(SchedulesOf(fixed), ElementsAre(Schedule::kDuet)) << "it is demanded";
}

TEST(RunExperiment, RunsWithoutSegmentsExecuteOneVariantAtATime) {
  ExperimentOptions options;
  FakeLauncher launcher;
  std::vector<RunPlan>& plans = launcher.plans;
  for (const double min_time : {0.5, 20.0}) {
    plans.clear();
    launcher.change = [&plans](int call, LaunchedRun* launched) {
      const double spread = plans.back().schedule == Schedule::kCrossed ? 0.0005 : 0.01;
      launched->result.sample_ns = 5e6;
      launched->result.pairs = Noisy(spread, 200).pairs;
      for (PairRecord& pair : launched->result.pairs) pair.ticks[1] *= 1 + 1e-5 * (call % 3);
    };
    options.min_time = min_time;
    const ExperimentResult comparison =
        RunExperiment(options, TwoCpus(), launcher.Launcher(), NoProgress);
    ASSERT_NE(comparison.estimate(), nullptr);
    const Estimate& estimate = *comparison.estimate();
    const bool has_segments = min_time > 1;
    EXPECT_EQ(plans.front().schedule, Schedule::kCrossed) << "the pilot";
    EXPECT_EQ(estimate.schedule, has_segments ? Schedule::kCrossed : Schedule::kInterleaved);
    EXPECT_EQ(estimate.has_narrowest_pilot, has_segments);
    if (has_segments) continue;
    EXPECT_THAT(estimate.schedule_reason, HasSubstr("too short to tell"));
  }
}

}  // namespace
}  // namespace duetbench
