#include "tools/duet_stat/pairs_data.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::UnorderedElementsAreArray;

// Runs whose times are all different; new times are 1000 above the old ones.
std::vector<stats::RunPairs> Runs() {
  std::vector<stats::RunPairs> runs(5);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t i = 0; i < 20 + r; ++i) {
      const auto time = static_cast<double>(100 * r + i + 1);
      runs[r].push_back({time, 1000 + time, static_cast<int>(i / 5 % 2)});
    }
  }
  return runs;
}

// The new times of some runs under one assignment.
std::vector<double> NewTimes(const std::vector<stats::RunPairs>& runs, int assignment) {
  std::vector<double> times;
  for (const stats::RunPairs& run : runs) {
    for (const stats::Pair& pair : run) {
      if (pair.assignment == assignment) times.push_back(pair.new_time);
    }
  }
  return times;
}

int PairsKept(const std::vector<stats::RunPairs>& runs) {
  int kept = 0;
  for (const stats::RunPairs& run : runs) {
    for (const stats::Pair& pair : run) kept += pair.new_time == pair.old_time + 1000 ? 1 : 0;
  }
  return kept;
}

TEST(ShufflePairs, AllMovesNewTimesOverRunsWithinTheirAssignment) {
  const std::vector<stats::RunPairs> before = Runs();
  std::vector<stats::RunPairs> runs = before;
  ShufflePairs(1, runs);
  EXPECT_LT(PairsKept(runs), 10);
  for (const int assignment : {0, 1}) {
    EXPECT_THAT(NewTimes(runs, assignment),
                UnorderedElementsAreArray(NewTimes(before, assignment)));
  }
  int from_own_run = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t i = 0; i < runs[r].size(); ++i) {
      EXPECT_EQ(runs[r][i].old_time, before[r][i].old_time);
      EXPECT_EQ(runs[r][i].assignment, before[r][i].assignment);
      const auto run_of = static_cast<std::size_t>((runs[r][i].new_time - 1001) / 100);
      from_own_run += run_of == r ? 1 : 0;
    }
  }
  EXPECT_LT(from_own_run, 50);  // a fifth of 110 by chance
}

TEST(ShufflePairs, DependsOnTheSeedOnly) {
  std::vector<stats::RunPairs> first = Runs();
  std::vector<stats::RunPairs> second = Runs();
  std::vector<stats::RunPairs> third = Runs();
  ShufflePairs(1, first);
  ShufflePairs(1, second);
  ShufflePairs(2, third);
  EXPECT_EQ(NewTimes(first, 0), NewTimes(second, 0));
  EXPECT_NE(NewTimes(first, 0), NewTimes(third, 0));
}

}  // namespace
}  // namespace duetbench::duet_stat
