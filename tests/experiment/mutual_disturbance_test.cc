// Variants that disturb each other: the experiment goes on in blocks.
#include <vector>

#include "duetbench/experiment/policy.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

TEST(RunExperiment, RunsOnOneCpuFindThatTurnsLeaveCachesCold) {
  Machine one_cpu = TwoCpus();
  one_cpu.cpus.relation = CpuRelation::kOneCpu;
  for (const bool is_demanded : {false, true}) {
    FakeLauncher launcher;
    std::vector<RunPlan>& plans = launcher.plans;
    launcher.change = [&plans](int, RunOfPairs* launched) {
      if (plans.back().budget_ns > 0) GiveColdCaches(plans.back(), launched);
    };
    ExperimentOptions options;
    if (is_demanded) options.schedule = Schedule::kInterleaved;
    const Comparison comparison = RunExperiment(options, one_cpu, launcher.Launcher());
    ASSERT_NE(&comparison, nullptr);
    ASSERT_EQ(comparison.notices.size(), 1u);
    EXPECT_EQ(comparison.notices[0].text, "interleaved");
    for (const RunPlan& plan : plans) EXPECT_FALSE(RunsConcurrently(plan.schedule));
    EXPECT_EQ(comparison.schedule, is_demanded ? Schedule::kInterleaved : Schedule::kAlternating);
    EXPECT_NEAR(comparison.interval.ratio, is_demanded ? 1.1 : 1, 0.01);
    EXPECT_EQ(comparison.measured_together, is_demanded);
  }
}

// Together new takes 1.15 times as long as old, solo 0.98 times; in pilots, or only in the runs
// that measure.
void DisturbEachOther(FakeLauncher* launcher, bool in_pilots = true) {
  launcher->change = [&plans = launcher->plans, in_pilots](int call, RunOfPairs* launched) {
    if (!in_pilots && plans.back().is_pilot != 0) return;
    const bool is_alternating = plans.back().schedule == Schedule::kAlternating;
    for (size_t i = 0; i < launched->front().pairs.size(); ++i) {
      PairRecord& pair = launched->front().pairs[i];
      if (!is_alternating && i % 5 == 0) pair.flags |= kSolo;
      const bool is_solo = is_alternating || i % 5 == 0;
      pair.ticks[1] = pair.ticks[0] * (is_solo ? 0.98 : 1.15) * (1 + 0.001 * (call % 3));
      pair.ticks[1] += 0.01 * static_cast<double>(i % 5 == 0 ? call % 2 : 0);
    }
  };
}

TEST(RunExperiment, VariantsThatDisturbEachOtherAreMeasuredOneAtATime) {
  for (const bool demanded : {false, true}) {
    FakeLauncher launcher;
    DisturbEachOther(&launcher);
    ExperimentOptions options;
    if (demanded) options.schedule = Schedule::kDuet;
    const Comparison comparison = RunExperiment(launcher, options);
    ASSERT_NE(&comparison, nullptr);
    ASSERT_TRUE(comparison.mutual_disturbance.has_value());
    EXPECT_NEAR(comparison.mutual_disturbance->ratio_solo, 0.98, 0.01);
    EXPECT_NEAR(comparison.mutual_disturbance->ratio_together, 1.15, 0.01);
    ASSERT_EQ(comparison.notices.size(), 1u);
    if (demanded) {
      EXPECT_EQ(comparison.schedule, Schedule::kDuet);
      EXPECT_NEAR(comparison.interval.ratio, 1.15, 0.01);
      EXPECT_EQ(comparison.notices[0].kind, Notice::Kind::kMeasuredTogether);
      EXPECT_EQ(comparison.verdict, stats::Verdict::kInconclusive);
    } else {
      EXPECT_EQ(comparison.schedule, Schedule::kAlternating);
      EXPECT_NEAR(comparison.interval.ratio, 0.98, 0.01);
      EXPECT_EQ(comparison.notices[0].kind, Notice::Kind::kDisturbEachOther);
      EXPECT_EQ(comparison.verdict, stats::Verdict::kFaster);
    }
  }
}

// The ratio together of the abandoned runs is no news beside a row that contains
// it.
TEST(AddCourse, ANoticeDoesNotContradictItsRow) {
  const ExperimentOptions options;
  Course course;
  course.disturb_each_other = true;
  course.disturbance.emplace();
  course.disturbance->ratio_solo = 0.551;
  course.disturbance->ratio_together = 0.695;
  const auto notices = [&](double lo, double hi) {
    Comparison result;
    result.interval.lo = lo;
    result.interval.hi = hi;
    AddCourse(course, options, &result);
    return result.notices.size();
  };
  EXPECT_EQ(notices(0.545, 0.56), 1u);
  EXPECT_EQ(notices(0.6, 0.73), 0u);
}

// A budget asks for it: with the time of all runs for one run, none would seem to fit into what is
// left after a restart.
TEST(Experiment, TheTimeOfARunIsWithoutThoseThatWereGivenUp) {
  FakeLauncher launcher;
  DisturbEachOther(&launcher, /*in_pilots=*/false);
  const ExperimentOptions options;
  const Machine machine = TwoCpus();
  duetbench::Experiment experiment(options, machine);
  const RunLauncher launch = launcher.Launcher();
  EXPECT_EQ(experiment.SecondsOfRun(), 0);
  int restarts = 0;
  for (int before = 0; const RunPlan* const plan = experiment.Next(); before = experiment.done()) {
    experiment.Take(launch(*plan));
    experiment.Next();
    if (before > 0 && experiment.done() == 0) ++restarts;
    EXPECT_NEAR(experiment.SecondsOfRun(), launcher.wall_ns * 1e-9, 1e-9);
  }
  EXPECT_EQ(restarts, 1);
}

}  // namespace
}  // namespace duetbench
