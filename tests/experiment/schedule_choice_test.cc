#include "duetbench/experiment/schedule_choice.h"

#include <utility>
#include <vector>

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

}  // namespace
}  // namespace duetbench
