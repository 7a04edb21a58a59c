#include "duetbench/experiment/schedule_choice.h"

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;

// The pairs of a run, which vary by `spread`.
RunResult Noisy(double spread, int pairs, double log_ratio = 0) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(log_ratio, spread);
  RunResult result;
  for (int i = 0; i < pairs; ++i) {
    PairRecord pair{};
    pair.assignment = static_cast<uint32_t>(i % 2);
    pair.iterations[0] = pair.iterations[1] = 1;
    pair.ticks[0] = 1000;
    pair.ticks[1] = 1000 * std::exp(normal(random));
    result.pairs.push_back(pair);
  }
  return result;
}

Schedule Choose(const std::vector<std::pair<Schedule, RunResult>>& runs) {
  std::vector<Pilot> pilots;
  for (const auto& [schedule, result] : runs) pilots.push_back({schedule, result, 10e6});
  return ChooseSchedule(pilots, ExperimentOptions(), 1).schedule;
}

TEST(ChooseSchedule, TakesTheNarrowest) {
  EXPECT_EQ(
      Choose({{Schedule::kCrossed, Noisy(0.01, 200)}, {Schedule::kUncoupled, Noisy(0.03, 200)}}),
      Schedule::kCrossed);
  EXPECT_EQ(
      Choose({{Schedule::kCrossed, Noisy(0.03, 200)}, {Schedule::kUncoupled, Noisy(0.01, 200)}}),
      Schedule::kUncoupled);
  // More pairs in the same time are worth as much as less noise.
  EXPECT_EQ(
      Choose({{Schedule::kCrossed, Noisy(0.02, 100)}, {Schedule::kUncoupled, Noisy(0.02, 900)}}),
      Schedule::kUncoupled);
}

TEST(ChooseSchedule, KeepsTheFirstWhereNothingIsKnown) {
  EXPECT_EQ(Choose({{Schedule::kCrossed, Noisy(0.01, 1)}, {Schedule::kDuet, Noisy(0.01, 2)}}),
            Schedule::kCrossed);
}

// --- In an experiment ---

TEST(RunExperiment, PilotsChooseTheScheduleAndAreNotInTheEstimate) {
  FakeLauncher launcher;
  std::vector<RunPlan>& plans = launcher.plans;
  launcher.change = [&plans](int, LaunchedRun* launched) {
    const double spread = plans.back().schedule == Schedule::kInterleaved ? 0.001 : 0.01;
    if (plans.back().budget_ns > 0) launched->result.pairs = Noisy(spread, 200, 0.1).pairs;
    launched->result.pairs.front().ticks[1] += plans.back().run;  // runs differ
  };
  const ExperimentResult comparison =
      RunExperiment(ExperimentOptions(), TwoCpus(), launcher.Launcher(), NoProgress);
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

TEST(RunExperiment, DearSetUpsAreDoneTwiceARunInPlaceOfFourTimes) {
  FakeLauncher launcher;
  launcher.change = [](int, LaunchedRun* launched) { launched->result.set_up_ns = 40e6; };
  const ExperimentResult comparison =
      RunExperiment(ExperimentOptions(), TwoCpus(), launcher.Launcher(), NoProgress);
  EXPECT_EQ(comparison.estimate()->schedule, Schedule::kInterleaved);
  EXPECT_FALSE(comparison.estimate()->has_narrowest_pilot);
  EXPECT_EQ(launcher.plans.size(), static_cast<size_t>(comparison.estimate()->runs) + 1);
}

// In turns new takes 1.2 times as long as old, in blocks 1.1 times. Crossed samples vary by
// `crossed`.
void GiveColdCaches(const RunPlan& plan, double crossed, LaunchedRun* launched) {
  launched->result.pairs = Noisy(plan.schedule == Schedule::kCrossed ? crossed : 0.002, 200).pairs;
  for (size_t i = 0; i < launched->result.pairs.size(); ++i) {
    PairRecord& pair = launched->result.pairs[i];
    const bool is_alone = plan.alone_share > 0 && i % 100 >= 60;
    if (is_alone) pair.flags |= kAlone;
    pair.pair_index = i;
    pair.ticks[1] *= is_alone || plan.schedule == Schedule::kAlternating ? 1.1 : 1.2;
    pair.ticks[1] *= 1 + 1e-4 * (plan.run % 3);
  }
}

TEST(RunExperiment, PilotsFindThatVariantsDisturbEachOther) {
  for (const double crossed : {0.0005, 0.02}) {
    FakeLauncher launcher;
    std::vector<RunPlan>& plans = launcher.plans;
    launcher.change = [&plans, crossed](int, LaunchedRun* launched) {
      if (plans.back().budget_ns > 0) GiveColdCaches(plans.back(), crossed, launched);
    };
    const ExperimentResult comparison =
        RunExperiment(ExperimentOptions(), TwoCpus(), launcher.Launcher(), NoProgress);
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
  const ExperimentResult comparison =
      RunExperiment(ExperimentOptions(), TwoCpus(), launcher.Launcher(), NoProgress);
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
  const ExperimentResult comparison =
      RunExperiment(ExperimentOptions(), TwoCpus(), launcher.Launcher(), NoProgress);
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

TEST(RunExperiment, RunsOnOneCpuFindThatTurnsLeaveCachesCold) {
  Machine one_cpu = TwoCpus();
  one_cpu.cpus.cpus[1] = one_cpu.cpus.cpus[0];
  for (const bool has_two : {false, true}) {
    FakeLauncher launcher;
    std::vector<RunPlan>& plans = launcher.plans;
    launcher.change = [&plans](int, LaunchedRun* launched) {
      if (plans.back().budget_ns > 0) GiveColdCaches(plans.back(), 0.002, launched);
    };
    ExperimentOptions options;
    options.schedule = Schedule::kInterleaved;
    const ExperimentResult comparison =
        RunExperiment(options, has_two ? TwoCpus() : one_cpu, launcher.Launcher(), NoProgress);
    const Estimate* const estimate = comparison.estimate();
    ASSERT_NE(estimate, nullptr);
    ASSERT_EQ(comparison.notices.size(), 1u);
    EXPECT_EQ(comparison.notices[0].text, "in turns");
    // With two it was demanded.
    EXPECT_EQ(estimate->schedule, has_two ? Schedule::kInterleaved : Schedule::kAlternating);
    EXPECT_NEAR(estimate->interval.ratio, has_two ? 1.2 : 1.1, 0.01);
    EXPECT_EQ(estimate->measured_together, has_two);
  }
}

TEST(RunExperiment, VariantsThatDisturbEachOtherAreMeasuredOneAtATime) {
  for (const bool demanded : {false, true}) {
    FakeLauncher launcher;
    std::vector<RunPlan>& plans = launcher.plans;
    launcher.change = [&plans](int call, LaunchedRun* launched) {
      const bool is_alternating = plans.back().schedule == Schedule::kAlternating;
      for (size_t i = 0; i < launched->result.pairs.size(); ++i) {
        PairRecord& pair = launched->result.pairs[i];
        if (!is_alternating && i % 5 == 0) pair.flags |= kAlone;
        const bool is_alone = is_alternating || i % 5 == 0;
        pair.ticks[1] = pair.ticks[0] * (is_alone ? 0.8 : 1.1) * (1 + 0.001 * (call % 3));
        pair.ticks[1] += 0.01 * static_cast<double>(i % 5 == 0 ? call % 2 : 0);
      }
    };
    ExperimentOptions options;
    if (demanded) options.schedule = Schedule::kCrossed;
    const ExperimentResult comparison =
        RunExperiment(options, TwoCpus(), launcher.Launcher(), NoProgress);
    const Estimate* const estimate = comparison.estimate();
    ASSERT_NE(estimate, nullptr);
    ASSERT_TRUE(estimate->mutual_disturbance.has_value());
    EXPECT_NEAR(estimate->mutual_disturbance->ratio_alone, 0.8, 0.01);
    EXPECT_NEAR(estimate->mutual_disturbance->ratio_together, 1.1, 0.01);
    ASSERT_EQ(comparison.notices.size(), 1u);
    if (demanded) {
      EXPECT_EQ(estimate->schedule, Schedule::kCrossed);
      EXPECT_NEAR(estimate->interval.ratio, 1.1, 0.01);
      EXPECT_EQ(comparison.notices[0].kind, Notice::Kind::kMeasuredTogether);
      EXPECT_EQ(estimate->verdict, stats::Verdict::kInconclusive);
    } else {
      EXPECT_EQ(estimate->schedule, Schedule::kAlternating);
      EXPECT_NEAR(estimate->interval.ratio, 0.8, 0.01);
      EXPECT_EQ(comparison.notices[0].kind, Notice::Kind::kDisturbEachOther);
      EXPECT_EQ(estimate->verdict, stats::Verdict::kFaster);
    }
  }
}

}  // namespace
}  // namespace duetbench
