#include "tools/duet_stat/pairs_data.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

// New times of the pairs of a run.
std::vector<double> NewTimes(const stats::RunPairs& run) {
  std::vector<double> times;
  for (const stats::Pair& pair : run) times.push_back(pair.new_time);
  return times;
}

BenchmarkPairs Benchmark() {
  BenchmarkPairs benchmark{"BM", false, false, {}, {}};
  benchmark.runs = {{{1, 1, 0}, {1, 3, 0}, {1, 5, 0}}, {{1, 7, 0}}};
  benchmark.origins = {{0, 0, 0, 2, 0, {{1, {1, 2, 0}}, {1, {1, 2.5, 0}}, {3, {1, 6, 0}}}},
                       {0, 1, 0, 8, 0, {}}};
  return benchmark;
}

TEST(SelectPairs, LeavesOutTheFew) {
  BenchmarkPairs benchmark = Benchmark();
  benchmark.origins[1].without_time = 2;
  const SelectedPairs selected = SelectPairs(benchmark);
  EXPECT_EQ(selected.pairs, 4u);
  EXPECT_EQ(selected.dropped, 5u);
  EXPECT_DOUBLE_EQ(selected.disturbed_share, 3.0 / 7);
  EXPECT_FALSE(selected.uses_disturbed);
  EXPECT_THAT(NewTimes(benchmark.runs[0]), ElementsAre(1, 3, 5));
}

TEST(SelectPairs, ExactlyHalfIsFew) {
  BenchmarkPairs benchmark = Benchmark();
  benchmark.origins[1].disturbed = {{0, {1, 8, 0}}};
  EXPECT_FALSE(SelectPairs(benchmark).uses_disturbed);
}

TEST(SelectPairs, PutsTheManyBackWhereTheyWere) {
  BenchmarkPairs benchmark = Benchmark();
  benchmark.origins[1].disturbed = {{0, {1, 8, 0}}, {1, {1, 9, 0}}};
  benchmark.origins[1].without_time = 2;
  const SelectedPairs selected = SelectPairs(benchmark);
  EXPECT_TRUE(selected.uses_disturbed);
  EXPECT_EQ(selected.pairs, 9u);
  EXPECT_EQ(selected.dropped, 2u);
  EXPECT_DOUBLE_EQ(selected.disturbed_share, 5.0 / 9);
  EXPECT_THAT(NewTimes(benchmark.runs[0]), ElementsAre(1, 2, 2.5, 3, 5, 6));
  EXPECT_THAT(NewTimes(benchmark.runs[1]), ElementsAre(8, 7, 9));
}

TEST(SelectPairs, KeepsTwoRuns) {
  BenchmarkPairs benchmark = Benchmark();
  benchmark.runs[1].clear();
  benchmark.origins[1].disturbed = {{0, {1, 8, 0}}};
  benchmark.origins[0].disturbed.clear();
  EXPECT_TRUE(SelectPairs(benchmark).uses_disturbed);
}

TEST(SelectPairs, LeavesOutSamplesOnASharedCore) {
  BenchmarkPairs benchmark = Benchmark();
  benchmark.origins[0].disturbed.clear();
  benchmark.runs[0].clear();
  for (int i = 0; i < 10; ++i) {
    benchmark.runs[0].push_back({1, 1.0 * i, 0, {1000, i == 5 ? 1700.0F : 1000.0F}});
  }
  const SelectedPairs selected = SelectPairs(benchmark);
  EXPECT_THAT(NewTimes(benchmark.runs[0]), ElementsAre(0, 1, 2, 3, 6, 7, 8, 9));
  EXPECT_EQ(selected.pairs, 8 + benchmark.runs[1].size());
}

TEST(DropEmptyRuns, KeepsTheOthersWithTheirOrigins) {
  BenchmarkPairs benchmark{"BM", false, false, {}, {}};
  benchmark.runs = {{}, {{1, 1, 0}}, {}, {{1, 2, 0}}};
  for (std::int64_t number = 0; number < 4; ++number) {
    benchmark.origins.push_back({0, number, 0, 0, 0, {}});
  }
  EXPECT_EQ(DropEmptyRuns(benchmark), 2u);
  ASSERT_EQ(benchmark.runs.size(), 2u);
  EXPECT_EQ(benchmark.origins[0].number, 1);
  EXPECT_EQ(benchmark.origins[1].number, 3);
  EXPECT_THAT(NewTimes(benchmark.runs[1]), ElementsAre(2));
  EXPECT_EQ(DropEmptyRuns(benchmark), 0u);
}

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
