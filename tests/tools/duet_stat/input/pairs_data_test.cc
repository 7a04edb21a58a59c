#include "tools/duet_stat/input/pairs_data.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

// A run of each file, with these new times.
PairsData TwoFiles(const std::vector<double>& first, const std::vector<double>& second) {
  PairsData data;
  data.files = {"a.csv", "b.csv"};
  BenchmarkPairs& benchmark = data.benchmarks.emplace_back();
  benchmark.name = "BM";
  for (const auto& times : {first, second}) {
    stats::RunPairs& run = benchmark.runs.emplace_back();
    for (const double time : times) run.push_back({1, time, 0});
    benchmark.origins.push_back({benchmark.origins.size(), 7, 0, 2, 0, {}});
  }
  return data;
}

TEST(CheckRunsDiffer, ACopyIsNoFurtherRun) {
  const absl::Status copied = CheckRunsDiffer(TwoFiles({1, 2, 3, 4}, {1, 2, 3, 4}));
  EXPECT_EQ(copied.message(),
            "b.csv:2: run 7 of 'BM' has the times of run 7 of a.csv:2: a copy of a run is no "
            "further run; leave one of the files out");
  PairsData one_file = TwoFiles({1, 2, 3, 4}, {1, 2, 3, 4});
  one_file.benchmarks[0].origins[1].file = 0;
  EXPECT_TRUE(CheckRunsDiffer(one_file).ok()) << "another check tells that";
}

TEST(CheckRunsDiffer, OtherRunsAreAlikeAtMostByChance) {
  EXPECT_TRUE(CheckRunsDiffer(TwoFiles({1, 2, 3, 4}, {1, 2, 3, 5})).ok());
  EXPECT_TRUE(CheckRunsDiffer(TwoFiles({1, 2, 3, 4}, {1, 2, 3, 4, 5})).ok());
  EXPECT_TRUE(CheckRunsDiffer(TwoFiles({1, 2, 3}, {1, 2, 3})).ok()) << "three pairs";
  EXPECT_TRUE(CheckRunsDiffer(TwoFiles({2, 2, 2, 2}, {2, 2, 2, 2})).ok()) << "a coarse clock";
  std::vector<double> many(40);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = 1.0 + static_cast<double>(i);
  std::vector<double> others = many;
  others.back() = 0.5;
  EXPECT_TRUE(CheckRunsDiffer(TwoFiles(many, others)).ok());
  EXPECT_FALSE(CheckRunsDiffer(TwoFiles(many, many)).ok());
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
    benchmark.runs[0].push_back({1, 1.0 * i, 0, 0, {1000, i == 5 ? 1700.0F : 1000.0F}});
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

TEST(SinglePairNotice, NamesTheFirstAndCountsAll) {
  BenchmarkPairs benchmark = Benchmark();
  EXPECT_EQ(SinglePairNotice(benchmark, {"a.csv"}),
            "a.csv:8: run 1 has a single pair: nothing is known of the noise within such a run");
  benchmark.runs[0].resize(1);
  EXPECT_EQ(SinglePairNotice(benchmark, {"a.csv"}),
            "a.csv:2: run 0 has a single pair, as 2 of the 2 runs of this benchmark have: nothing "
            "is known of the noise within such a run");
  benchmark.runs = {{{1, 1, 0}, {1, 1, 0}}, {{1, 1, 0}, {1, 1, 0}}};
  EXPECT_THAT(SinglePairNotice(benchmark, {"a.csv"}), IsEmpty());
}

}  // namespace
}  // namespace duetbench::duet_stat
