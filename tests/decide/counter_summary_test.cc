#include "duetbench/decide/counter_summary.h"

#include <linux/perf_event.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/fake_perf.h"

namespace duetbench {
namespace {

using ::testing::IsEmpty;

// Old counted `old_count` and new `new_count` in 100 iterations each.
EventTally Tally(double old_count, double new_count) {
  EventTally tally{};
  tally.counts[0] = old_count;
  tally.counts[1] = new_count;
  tally.iterations[0] = 100;
  tally.iterations[1] = 100;
  tally.pairs = 5;
  return tally;
}

RunResult RunOf(const std::vector<EventTally>& events) {
  RunResult result;
  result.events = events;
  for (UsageTally& usage : result.usage) usage.iterations = 1000;
  return result;
}

// The event X in runs that counted it so.
CounterComparison SummaryOf(const std::vector<EventTally>& runs) {
  std::vector<RunResult> results;
  for (const EventTally& tally : runs) results.push_back(RunOf({tally}));
  const std::vector<CounterComparison> summary =
      SummarizeCounters(results, {{"X", HardwareCode(99)}}, 0.99);
  EXPECT_EQ(summary.size(), 1u);
  return summary.at(0);
}

TEST(SummarizeCounters, PerIterationAndRatioOverTheRuns) {
  const CounterComparison counter =
      SummaryOf({Tally(1000, 800), Tally(1010, 808), Tally(990, 812)});
  EXPECT_EQ(counter.name, "X");
  EXPECT_TRUE(counter.requested);
  ASSERT_TRUE(counter.counted);
  EXPECT_DOUBLE_EQ(counter.per_iteration[0], 10);
  EXPECT_NEAR(counter.per_iteration[1], 8.0667, 1e-4);
  ASSERT_TRUE(counter.interval.has_value());
  EXPECT_NEAR(*counter.ratio, std::cbrt(0.8 * 0.8 * 812 / 990), 1e-12);
  EXPECT_LT(counter.interval->lo, 0.8);
  EXPECT_GT(counter.interval->hi, 0.82);
}

TEST(SummarizeCounters, ZeroHasNoRatio) {
  for (const EventTally& tally : {Tally(1000, 0), Tally(0, 1000), Tally(0, 0)}) {
    const CounterComparison counter = SummaryOf({tally, tally});
    EXPECT_TRUE(counter.counted);
    EXPECT_FALSE(counter.ratio.has_value());
    EXPECT_FALSE(counter.interval.has_value());
    EXPECT_EQ(counter.per_iteration[0], tally.counts[0] / 100);
    EXPECT_EQ(counter.per_iteration[1], tally.counts[1] / 100);
  }
}

TEST(SummarizeCounters, ARunWithoutARatioLeavesNoInterval) {
  const CounterComparison counter = SummaryOf({Tally(10, 20), Tally(10, 20), Tally(0, 20)});
  ASSERT_TRUE(counter.ratio.has_value());
  EXPECT_DOUBLE_EQ(*counter.ratio, 3);
  EXPECT_FALSE(counter.interval.has_value());
}

TEST(SummarizeCounters, OneRunHasARatioAndNoInterval) {
  const CounterComparison counter = SummaryOf({Tally(10, 20)});
  EXPECT_DOUBLE_EQ(*counter.ratio, 2);
  EXPECT_FALSE(counter.interval.has_value());
}

TEST(SummarizeCounters, WhatNeverRanIsNotCounted) {
  EXPECT_FALSE(SummaryOf({EventTally{}, EventTally{}}).counted);
}

TEST(SummarizeCounters, RemembersScaling) {
  EventTally tally = Tally(10, 20);
  tally.scaled = 1;
  EXPECT_DOUBLE_EQ(SummaryOf({tally, Tally(10, 20)}).scaled_share, 0.1);
}

// --- Without being asked for ---

RunResult RunWithFaults(uint64_t old_faults, uint64_t new_faults) {
  RunResult result = RunOf({});
  result.usage[0].minor_faults = old_faults;
  result.usage[1].minor_faults = new_faults;
  return result;
}

TEST(SummarizeCounters, FaultsThatDifferAreReported) {
  const std::vector<CounterComparison> summary = SummarizeCounters(
      {RunWithFaults(0, 4000), RunWithFaults(1, 4001), RunWithFaults(0, 4000)}, {}, 0.99);
  ASSERT_EQ(summary.size(), 1u);
  EXPECT_EQ(summary[0].name, "MINOR-FAULTS");
  EXPECT_FALSE(summary[0].requested);
  EXPECT_NEAR(summary[0].per_iteration[0], 0, 1e-3);
  EXPECT_NEAR(summary[0].per_iteration[1], 4, 1e-3);
}

TEST(SummarizeCounters, FaultsThatAreAlikeAreNot) {
  EXPECT_THAT(SummarizeCounters({RunWithFaults(4000, 4000), RunWithFaults(4000, 4000)}, {}, 0.99),
              IsEmpty());
  // Few.
  EXPECT_THAT(
      SummarizeCounters({RunWithFaults(0, 3), RunWithFaults(0, 3), RunWithFaults(0, 3)}, {}, 0.99),
      IsEmpty());
  // By chance.
  EXPECT_THAT(SummarizeCounters({RunWithFaults(0, 100), RunWithFaults(90, 0), RunWithFaults(5, 40),
                                 RunWithFaults(8, 2)},
                                {}, 0.99),
              IsEmpty());
}

TEST(SummarizeCounters, WhatOtherProgramsCauseIsNot) {
  RunResult run = RunOf({});
  run.usage[0].involuntary_switches = run.usage[0].migrations = 1000;
  EXPECT_THAT(SummarizeCounters({run, run, run}, {}, 0.99), IsEmpty());
}

RunResult RunWithMemory(double of_old, double of_new, bool shown) {
  RunResult result;
  result.amounts = {{kPeakRss, shown, {of_old, of_new}}};
  return result;
}

TEST(SummarizeCounters, MemoryIsShownIfItDiffersOrIsAlwaysShown) {
  constexpr double kMiB = 1 << 20;
  const auto counters = [](double of_new, bool shown) {
    std::vector<RunResult> runs;
    for (const double noise : {0.0, 4096.0, 0.0, 8192.0}) {
      runs.push_back(RunWithMemory(10 * kMiB + noise, of_new, shown));
    }
    return SummarizeCounters(runs, {}, 0.99);
  };
  EXPECT_THAT(counters(10.5 * kMiB, false), IsEmpty());
  EXPECT_EQ(counters(10.5 * kMiB, true).size(), 1u);
  const auto differs = counters(20 * kMiB, false);
  ASSERT_EQ(differs.size(), 1u);
  EXPECT_EQ(differs[0].name, "PEAK-RSS");
  EXPECT_TRUE(differs[0].of_run);
  EXPECT_NEAR(*differs[0].ratio, 2, 0.01);
  EXPECT_TRUE(differs[0].interval.has_value());
}

TEST(SummarizeCounters, WhatCallgrindCountsWasAskedForAndIsPerIteration) {
  RunResult run;
  run.amounts = {{"CALLGRIND-INSTRUCTIONS", /*shown=*/true, {100, 120}}};
  const auto counters = SummarizeCounters({run, run, run}, {}, 0.99);
  ASSERT_EQ(counters.size(), 1u);
  EXPECT_TRUE(counters[0].requested);
  EXPECT_FALSE(counters[0].of_run);
  EXPECT_DOUBLE_EQ(*counters[0].ratio, 1.2);
}

}  // namespace
}  // namespace duetbench
