#include "duetbench/experiment/schedule_choice.h"

#include <cmath>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/fake_launcher.h"

namespace duetbench {
namespace {

Schedule Choose(const std::vector<std::pair<Schedule, RunResult>>& runs) {
  std::vector<Pilot> pilots;
  for (const auto& [schedule, result] : runs) pilots.push_back({schedule, result, 10e6});
  return ChooseSchedule(pilots, ExperimentOptions(), 1).schedule;
}

TEST(ChooseSchedule, TakesTheNarrowest) {
  EXPECT_EQ(
      Choose({{Schedule::kCrossed, Noisy(0.01, 200)}, {Schedule::kInterleaved, Noisy(0.03, 200)}}),
      Schedule::kCrossed);
  EXPECT_EQ(
      Choose({{Schedule::kCrossed, Noisy(0.03, 200)}, {Schedule::kInterleaved, Noisy(0.01, 200)}}),
      Schedule::kInterleaved);
  // More pairs in the same time are worth as much as less noise.
  EXPECT_EQ(
      Choose({{Schedule::kCrossed, Noisy(0.02, 100)}, {Schedule::kInterleaved, Noisy(0.02, 900)}}),
      Schedule::kInterleaved);
}

// The machine stops for a while: in one sample, or in two at the same time.
RunResult Stopped(double noise, bool both) {
  RunResult result = Noisy(noise, 200);
  for (const int variant : {0, 1}) {
    if (both || variant == 1) result.pairs[100].ticks[variant] *= 50;
  }
  return result;
}

TEST(ChooseSchedule, AvoidsTheOneInWhichStopsHitOneVariant) {
  EXPECT_EQ(Choose({{Schedule::kCrossed, Stopped(0.03, true)},
                    {Schedule::kInterleaved, Stopped(0.01, false)}}),
            Schedule::kCrossed);
  EXPECT_EQ(Choose({{Schedule::kCrossed, Stopped(0.03, false)},
                    {Schedule::kInterleaved, Stopped(0.01, false)}}),
            Schedule::kInterleaved)
      << "the variant itself is slow at times";
}

TEST(ChooseSchedule, AvoidsTheOneThatWaitsForItsCpus) {
  for (const bool both_wait : {false, true}) {
    const std::vector<Pilot> pilots = {{Schedule::kCrossed, Noisy(0.01, 200), 1e7, true},
                                       {Schedule::kInterleaved, Noisy(0.02, 200), 1e7, both_wait}};
    const ScheduleChoice choice = ChooseSchedule(pilots, ExperimentOptions(), 1);
    EXPECT_EQ(choice.schedule, both_wait ? Schedule::kCrossed : Schedule::kInterleaved);
    EXPECT_THAT(choice.reason, testing::HasSubstr(" % but waits for CPUs, interleaved "));
  }
}

TEST(PilotRatio, IsTheMedianOfNewOverOld) {
  EXPECT_NEAR(PilotRatio(Noisy(0.01, 200, -1)), std::exp(-1), 0.02);
  EXPECT_NEAR(PilotRatio(Noisy(0.01, 200, 1)), std::exp(1), 0.02);
  EXPECT_EQ(PilotRatio(RunResult()), 1);
  RunResult half = Noisy(0.01, 200);
  for (PairRecord& pair : half.pairs) pair.iterations[1] = 2;
  EXPECT_NEAR(PilotRatio(half), 0.5, 0.02);
}

TEST(HitsOneVariant, IsWhereTotalTimesLieApartFromTypicalOnes) {
  const std::vector<RunResult> quiet(3, Noisy(0.01, 200));
  const std::vector<RunResult> both(3, Stopped(0.01, true));
  const std::vector<RunResult> one(3, Stopped(0.01, false));
  EXPECT_FALSE(HitsOneVariant(quiet, ExperimentOptions(), 1));
  EXPECT_FALSE(HitsOneVariant(both, ExperimentOptions(), 1));
  EXPECT_TRUE(HitsOneVariant(one, ExperimentOptions(), 1));
  EXPECT_FALSE(HitsOneVariant({}, ExperimentOptions(), 1));
}

TEST(ChooseSchedule, KeepsTheFirstWhereNothingIsKnown) {
  EXPECT_EQ(Choose({{Schedule::kCrossed, Noisy(0.01, 1)}, {Schedule::kDuet, Noisy(0.01, 2)}}),
            Schedule::kCrossed);
}

}  // namespace
}  // namespace duetbench
