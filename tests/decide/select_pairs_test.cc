#include "duetbench/decide/select_pairs.h"

#include "duetbench/decide/comparison.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/summarized.h"
#include "tests/measure/pair_of.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SelectPairs, DisturbedPairsAreDroppedAsPairs) {
  RunResult run = EqualPairs(100, 103);
  uint32_t assignment = 0;
  for (const uint32_t flag : {kOldPreempted, kNewPreempted, kOldMigrated, kNewMigrated}) {
    run.pairs.push_back(PairOf(7, 1000, assignment, flag));
    assignment ^= 1;
  }
  const Comparison comparison = Summarized({run, run});
  EXPECT_NEAR(comparison.interval.ratio, 1.03, 1e-9);
  EXPECT_EQ(comparison.pairs, 40u);
  EXPECT_EQ(comparison.dropped, 8u);
  EXPECT_EQ(comparison.iterations[0], 40u);
  EXPECT_FALSE(comparison.kept_disturbed);
  EXPECT_NEAR(comparison.time_ns[0], 100, 1e-9);
  ASSERT_EQ(comparison.run_pairs.size(), 2u);
  EXPECT_EQ(comparison.run_pairs[0].size(), 20u);
  EXPECT_EQ(comparison.results[0].pairs.size(), 24u) << "all that was measured";
}

// Somebody else executes on the core during three of the samples of new, which take longer.
RunResult OnASharedCore() {
  RunResult run = EqualPairs(100, 103);
  for (PairRecord& pair : run.pairs) pair.probe_ticks[0] = pair.probe_ticks[1] = 1000;
  for (int slow : {5, 6, 7}) {
    run.pairs[static_cast<size_t>(slow)].ticks[1] = 180;
    run.pairs[static_cast<size_t>(slow)].probe_ticks[1] = 1700;
  }
  return run;
}

TEST(SelectPairs, SamplesOnASharedCoreAreLeftOut) {
  const Comparison comparison = Summarized({OnASharedCore(), OnASharedCore()});
  EXPECT_EQ(comparison.pairs, 32u);
  EXPECT_EQ(comparison.dropped, 8u) << "and the sample before them";
  EXPECT_NEAR(comparison.time_ns[1], 103, 1e-9);
  ASSERT_TRUE(comparison.total.has_value());
  EXPECT_NEAR(comparison.total->interval.ratio, 1.03, 1e-9);
}

// The second CPU makes its variant 10 % slower.
RunResult OnUnequalCpus(bool is_one_sided) {
  RunResult run;
  for (int i = 0; i < 40; ++i) {
    const bool new_is_slow = i % 2 == 0;
    const bool is_lost = is_one_sided && !new_is_slow;
    run.pairs.push_back(PairOf(new_is_slow ? 100 : 110, new_is_slow ? 110 : 100,
                               static_cast<uint32_t>(i % 2),
                               is_lost ? uint32_t{kOldPreempted} : 0));
  }
  return run;
}

TEST(SelectPairs, RunsThatLostAnAssignmentAreLeftOut) {
  std::vector<RunResult> runs(9, OnUnequalCpus(false));
  runs.push_back(OnUnequalCpus(true));
  const Comparison comparison = Summarized(runs);
  EXPECT_EQ(comparison.runs, 9);
  EXPECT_NEAR(comparison.interval.ratio, 1, 1e-9);
  EXPECT_EQ(comparison.dropped, 40u);
  EXPECT_THAT(comparison.notices, IsEmpty());
}

TEST(SelectPairs, WhereManyRunsLostAnAssignmentTheyAreUsedAndItSaysSo) {
  std::vector<RunResult> runs(7, OnUnequalCpus(false));
  runs.resize(10, OnUnequalCpus(true));
  const Comparison comparison = Summarized(runs);
  EXPECT_EQ(comparison.runs, 10);
  EXPECT_GT(comparison.interval.ratio, 1.02);
  EXPECT_THAT(comparison.notices, ElementsAre(Notice{Notice::Kind::kOneSidedRuns, {3, 10}, ""}));
}

// A single long sample has one assignment, which is drawn for each run.
TEST(SelectPairs, RunsOfOnePairAreNotOneSided) {
  std::vector<RunResult> runs;
  for (uint32_t run = 0; run < 10; ++run) {
    runs.emplace_back().pairs.push_back(PairOf(100, 101 + run, run % 2));
  }
  EXPECT_EQ(Summarized(runs).runs, 10);
}

// 24 of 40 pairs are disturbed, and another one has no time.
RunResult DisturbedRun(uint32_t flags) {
  RunResult run;
  for (int i = 0; i < 40; ++i) {
    run.pairs.push_back(PairOf(100, 103, static_cast<uint32_t>(i % 2), i < 24 ? flags : 0));
  }
  run.pairs.push_back(PairOf(0, 103, 0, kNoTime));
  return run;
}

TEST(SelectPairs, WhereMostPairsAreDisturbedTheyAreKeptAndItSaysSo) {
  const RunResult run = DisturbedRun(kOldPreempted | kOnCpuTime);
  const Comparison comparison = Summarized({run, run, run});
  EXPECT_TRUE(comparison.kept_disturbed);
  EXPECT_EQ(comparison.pairs, 120u);
  EXPECT_EQ(comparison.dropped, 3u) << "what has no time cannot be kept";
  EXPECT_THAT(comparison.notices,
              ElementsAre(Notice{Notice::Kind::kNoMeasurableTime, {}, "old"},
                          Notice{Notice::Kind::kDisturbedPairsKept, {0.6, 0}, ""}));
  EXPECT_FALSE(comparison.is_biased);
  EXPECT_EQ(comparison.verdict, stats::Verdict::kSlower);
}

TEST(SelectPairs, WhereTheTimesOfMostPairsAreNotKnownThereIsNoVerdict) {
  const RunResult run = DisturbedRun(kOldPreempted);
  const Comparison comparison = Summarized({run, run});
  EXPECT_TRUE(comparison.is_biased);
  EXPECT_EQ(comparison.pairs, 80u);
  EXPECT_EQ(comparison.verdict, stats::Verdict::kInconclusive);
  EXPECT_EQ(comparison.notices.back().kind, Notice::Kind::kBiasedPairsKept);
  ExperimentOptions options;
  options.cpu_time = true;
  RunResult with_cpu_times = run;
  for (PairRecord& pair : with_cpu_times.pairs) pair.cpu_ns[0] = pair.cpu_ns[1] = 100;
  EXPECT_FALSE(Summarized({with_cpu_times, with_cpu_times}, options).is_biased);
}

TEST(SelectPairs, DisturbedPairsAreKeptRatherThanThatRunsAreLeftOut) {
  RunResult disturbed = EqualPairs(100, 103, 4);
  for (PairRecord& pair : disturbed.pairs) pair.flags = kNewPreempted;
  const RunResult quiet = EqualPairs(100, 103, 40);
  const Comparison two = Summarized({quiet, disturbed});
  EXPECT_TRUE(two.kept_disturbed);
  EXPECT_EQ(two.runs, 2);
  EXPECT_EQ(two.dropped, 0u);
  EXPECT_FALSE(Summarized({quiet, disturbed, quiet, quiet, disturbed}).kept_disturbed);
  for (PairRecord& pair : disturbed.pairs) pair.flags |= kOnCpuTime;
  EXPECT_TRUE(Summarized({quiet, disturbed, quiet, quiet, disturbed}).kept_disturbed);
  const Comparison four = Summarized({quiet, disturbed, quiet, quiet});
  EXPECT_FALSE(four.kept_disturbed);
  EXPECT_EQ(four.runs, 3);
}

// Pairs without a time say nothing about disturbances.
TEST(SelectPairs, PairsWithoutATimeAreDroppedHoweverMany) {
  RunResult run;
  for (int i = 0; i < 100; ++i) {
    run.pairs.push_back(PairOf(i < 60 ? 0 : 100, 101, static_cast<uint32_t>(i % 2),
                               i < 60   ? uint32_t{kNoTime}
                               : i < 65 ? uint32_t{kNewPreempted}
                                        : 0));
  }
  const Comparison comparison = Summarized({run, run});
  EXPECT_FALSE(comparison.kept_disturbed);
  EXPECT_EQ(comparison.pairs, 70u);
  EXPECT_EQ(comparison.dropped, 130u);
  EXPECT_NEAR(comparison.interval.ratio, 1.01, 1e-9);
  EXPECT_THAT(comparison.notices, ElementsAre(Notice{Notice::Kind::kNoMeasurableTime, {}, "old"}));
}

TEST(SelectPairs, WithoutAUsablePairThereIsAnErrorAndNoRatio) {
  RunResult run;
  for (int i = 0; i < 10; ++i) run.pairs.push_back(PairOf(0, 0, i % 2, kNoTime));
  for (const std::vector<RunResult>& runs :
       {std::vector<RunResult>{run, run}, std::vector<RunResult>{RunResult(), RunResult()},
        std::vector<RunResult>{}}) {
    const Comparison comparison = Summarize(runs, ExperimentOptions(), 1);
    ASSERT_TRUE(comparison.has_failed());
    EXPECT_EQ(comparison.failure.error.cause,
              "no pair could be used: in every pair a variant was preempted or took no measurable "
              "time; measure longer (--benchmark_min_time)");
  }
}

TEST(SelectPairs, RunsWithoutAUsablePairAreNotCounted) {
  RunResult empty;
  empty.pairs.push_back(PairOf(0, 5, 0, kNoTime));
  const Comparison comparison = Summarized({EqualPairs(100, 103), empty, EqualPairs(100, 103)});
  EXPECT_EQ(comparison.runs, 2);
  EXPECT_EQ(comparison.run_log_ratios.size(), 2u);
  EXPECT_EQ(comparison.results.size(), 3u);
  EXPECT_NEAR(comparison.time_ns[0], 100, 1e-9);
}

// KeepRunningBatch rounds up differently on the two sides.
TEST(SelectPairs, TimesAndRatioArePerIteration) {
  RunResult run = EqualPairs(1000, 3000);
  for (PairRecord& pair : run.pairs) {
    pair.iterations[0] = 10;
    pair.iterations[1] = 15;
    pair.cpu_ns[0] = 900;
    pair.cpu_ns[1] = 1500;
  }
  run.batch = 10;
  const Comparison comparison = Summarize({run, run}, ExperimentOptions(), 0.5);
  EXPECT_NEAR(comparison.interval.ratio, 2, 1e-12);
  EXPECT_NEAR(comparison.time_ns[0], 50, 1e-9);
  EXPECT_NEAR(comparison.time_ns[1], 100, 1e-9);
  EXPECT_NEAR(comparison.cpu_ns[0], 90, 1e-9);
  EXPECT_NEAR(comparison.cpu_ns[1], 100, 1e-9);
  EXPECT_EQ(comparison.iterations[0], 400u);
  EXPECT_EQ(comparison.iterations[1], 600u);
  EXPECT_EQ(comparison.batch, 10u);
}

TEST(SelectPairs, PairsOfTheEstimateCarryTimesPerIterationAndAssignments) {
  RunResult run = EqualPairs(100, 103, 2);
  run.pairs[0].iterations[0] = run.pairs[0].iterations[1] = 4;
  const Comparison comparison = Summarize({run, run}, ExperimentOptions(), 2);
  ASSERT_EQ(comparison.run_pairs.size(), 2u);
  ASSERT_EQ(comparison.run_pairs[0].size(), 2u);
  EXPECT_NEAR(comparison.run_pairs[0][0].old_time, 50, 1e-12);
  EXPECT_NEAR(comparison.run_pairs[0][0].new_time, 51.5, 1e-12);
  EXPECT_EQ(comparison.run_pairs[0][0].assignment, 0);
  EXPECT_EQ(comparison.run_pairs[0][1].assignment, 1);
}

}  // namespace
}  // namespace duetbench
