#include "duetbench/pairs_io/pairs_data.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
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

TEST(ResolveDisturbedPairs, LeavesOutTheFew) {
  BenchmarkPairs benchmark = Benchmark();
  const DisturbedCount count = ResolveDisturbedPairs(benchmark);
  EXPECT_EQ(count.pairs, 4u);
  EXPECT_EQ(count.dropped, 3u);
  EXPECT_EQ(count.disturbed, 3u);
  EXPECT_FALSE(count.kept);
  EXPECT_THAT(NewTimes(benchmark.runs[0]), ElementsAre(1, 3, 5));
}

TEST(ResolveDisturbedPairs, ExactlyHalfIsFew) {
  BenchmarkPairs benchmark = Benchmark();
  benchmark.origins[1].without_time = 1;
  EXPECT_FALSE(ResolveDisturbedPairs(benchmark).kept);
}

TEST(ResolveDisturbedPairs, PutsTheManyBackWhereTheyWere) {
  BenchmarkPairs benchmark = Benchmark();
  benchmark.origins[1].without_time = 2;
  const DisturbedCount count = ResolveDisturbedPairs(benchmark);
  EXPECT_TRUE(count.kept);
  EXPECT_EQ(count.pairs, 7u);
  EXPECT_EQ(count.dropped, 2u);
  EXPECT_EQ(count.disturbed, 5u);
  EXPECT_THAT(NewTimes(benchmark.runs[0]), ElementsAre(1, 2, 2.5, 3, 5, 6));
  EXPECT_THAT(NewTimes(benchmark.runs[1]), ElementsAre(7));
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
}  // namespace duetbench
