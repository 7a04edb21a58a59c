// The schedule of a group of variants.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "duetbench/experiment/experiment.h"
#include "duetbench/record/measuring_policy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

using ::testing::Each;

// A run of three variants, of which the others take `b` and `c` times as long as the base.
void GiveGroup(double b, double c, uint32_t run, RunOfPairs* launched) {
  launched->assign(3, RunResult(launched->front()));
  const double ratios[] = {b, c, c / b};
  for (size_t pair = 0; pair < launched->size(); ++pair) {
    RunResult& result = (*launched)[pair];
    result.pairs = Noisy(0.001, 200, std::log(ratios[pair])).pairs;
    for (PairRecord& each : result.pairs) each.ticks[1] *= 1 + 1e-4 * (run % 3);
  }
}

// The schedules of an experiment with three variants; `change` is told the plan of each run.
std::vector<Schedule> SchedulesOfGroup(
    const std::function<void(const RunPlan&, RunOfPairs*)>& change,
    ExperimentOptions options = {}) {
  FakeLauncher launcher;
  launcher.change = [&](int, RunOfPairs* launched) { change(launcher.plans.back(), launched); };
  options.variants = 3;
  const Machine machine = TwoCpus();  // outlives it
  duetbench::Experiment experiment(options, machine);
  LaunchAll(launcher.Launcher(), NoProgress, &experiment);
  EXPECT_GT(experiment.done(), 0);
  std::vector<Schedule> schedules;
  for (const RunPlan& plan : launcher.plans) {
    schedules.push_back(plan.schedule);
    EXPECT_EQ(plan.cpus[0], plan.cpus[1]) << "on one CPU";
    EXPECT_EQ(plan.variants, 3u);
  }
  return schedules;
}

TEST(RunExperiment, AGroupOfAlikeVariantsTakesShortTurns) {
  const std::vector<Schedule> schedules = SchedulesOfGroup(
      [](const RunPlan& plan, RunOfPairs* launched) { GiveGroup(1.02, 0.99, plan.run, launched); });
  ASSERT_GT(schedules.size(), 2u);
  EXPECT_EQ(schedules[0], Schedule::kAlternating);
  for (size_t i = 1; i < schedules.size(); ++i) EXPECT_EQ(schedules[i], Schedule::kInterleaved);
}

TEST(RunExperiment, AGroupWithAnUnlikeVariantIsMeasuredInBlocks) {
  for (const double c : {0.4, 1.15}) {
    const std::vector<Schedule> schedules = SchedulesOfGroup(
        [c](const RunPlan& plan, RunOfPairs* launched) { GiveGroup(1.02, c, plan.run, launched); });
    EXPECT_EQ(std::count(schedules.begin(), schedules.end(), Schedule::kInterleaved),
              c < 0.5 ? 0 : kMeasuringPolicy.looks[0]);
    EXPECT_EQ(schedules.back(), Schedule::kAlternating);
  }
}

TEST(RunExperiment, OneSlowBlockIsNoUnlikeVariant) {
  const std::vector<Schedule> schedules =
      SchedulesOfGroup([](const RunPlan& plan, RunOfPairs* launched) {
        GiveGroup(1.02, plan.is_pilot != 0 ? 2.3 : 1, plan.run, launched);
      });
  EXPECT_EQ(std::count(schedules.begin(), schedules.end(), Schedule::kAlternating), 2)
      << "the calibration, and a run that does not show the same";
  EXPECT_EQ(schedules.back(), Schedule::kInterleaved);
}

// The segments of the last variant show another ratio than its short turns.
TEST(RunExperiment, AGroupThatDisturbsItselfIsMeasuredInBlocks) {
  const std::vector<Schedule> schedules =
      SchedulesOfGroup([](const RunPlan& plan, RunOfPairs* launched) {
        GiveGroup(1.01, 1.02, plan.run, launched);
        if (plan.solo_share == 0) return;
        for (size_t i = 120; i < 200; ++i) {
          for (const size_t pair : {0, 1}) (*launched)[pair].pairs[i].flags |= kSolo;
          (*launched)[1].pairs[i].ticks[1] /= 1.02;
        }
      });
  EXPECT_EQ(std::count(schedules.begin(), schedules.end(), Schedule::kInterleaved), 4)
      << "the first look";
  EXPECT_EQ(schedules.back(), Schedule::kAlternating);
}

TEST(RunExperiment, AGroupOfWhichAVariantStartsThreadsHasAllCpus) {
  FakeLauncher launcher;
  launcher.change = [&launcher](int call, RunOfPairs* launched) {
    GiveGroup(1.01, 1.02, launcher.plans.back().run, launched);
    if (call == 0) launched->front().started_threads[1] = 3;
  };
  ExperimentOptions options;
  options.variants = 3;
  const Machine machine = TwoCpus();  // outlives it
  GroupQuestions group{{}, {"a", "b", "c"}};
  for (const VariantPair& pair : PairsOfGroup(3)) group.questions.push_back({pair, {}});
  duetbench::Experiment experiment(options, machine, group);
  LaunchAll(launcher.Launcher(), NoProgress, &experiment);
  for (size_t i = 1; i < launcher.plans.size(); ++i) {
    EXPECT_EQ(launcher.plans[i].cpus_per_variant, kAllCpus);
    EXPECT_EQ(launcher.plans[i].schedule, Schedule::kInterleaved);
  }
  for (const Comparison& result : experiment.Finish()) {
    ASSERT_EQ(result.notices.size(), 1u);
    EXPECT_EQ(result.notices[0].kind, Notice::Kind::kStartsThreads);
    EXPECT_EQ(result.notices[0].text, "3");
  }
}

TEST(RunExperiment, AGroupUsesTheScheduleThatIsDemanded) {
  ExperimentOptions options;
  options.schedule = Schedule::kInterleaved;
  const std::vector<Schedule> schedules = SchedulesOfGroup(
      [](const RunPlan& plan, RunOfPairs* launched) { GiveGroup(1.5, 2, plan.run, launched); },
      options);
  EXPECT_THAT(schedules, Each(Schedule::kInterleaved));
}

}  // namespace
}  // namespace duetbench
