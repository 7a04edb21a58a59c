#include "duetbench/experiment/schedule_in_use.h"

#include <algorithm>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

TEST(RunExperiment, RunsOnOneCpuFindThatTurnsLeaveCachesCold) {
  Machine one_cpu = TwoCpus();
  one_cpu.cpus.relation = CpuRelation::kOneCpu;
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

// In the runs, not in the pilots, old or new are slow at times.
TEST(RunExperiment, SlowMomentsOfOneVariantInTurnsAreLookedAtAtTheSameTime) {
  for (const bool of_machine : {false, true}) {
    FakeLauncher launcher;
    std::vector<RunPlan>& plans = launcher.plans;
    launcher.change = [&plans, of_machine](int, LaunchedRun* launched) {
      const RunPlan& plan = plans.back();
      const bool in_turns = plan.schedule == Schedule::kInterleaved;
      launched->result.pairs = Noisy(in_turns ? 0.002 : 0.01, 200).pairs;
      if (plan.is_pilot != 0) return;
      for (const int variant : {0, 1}) {
        if (variant == 0 && (in_turns || !of_machine)) continue;
        launched->result.pairs[plan.run % 100].ticks[variant] *= 60;
      }
    };
    const ExperimentResult comparison =
        RunExperiment(ExperimentOptions(), TwoCpus(), launcher.Launcher(), NoProgress);
    const Estimate* const estimate = comparison.estimate();
    ASSERT_NE(estimate, nullptr);
    EXPECT_EQ(estimate->schedule, Schedule::kCrossed);
    EXPECT_THAT(estimate->schedule_reason, testing::HasSubstr("at the same time"));
    ASSERT_TRUE(estimate->total.has_value());
    EXPECT_NEAR(estimate->total->interval.ratio, of_machine ? 1 : 1.3, 0.02);
    const auto in_turns = std::count_if(plans.begin(), plans.end(), [](const RunPlan& plan) {
      return plan.is_pilot == 0 && plan.schedule == Schedule::kInterleaved;
    });
    EXPECT_EQ(in_turns, 4) << "until it is looked at for the first time";
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
