#include "duetbench/measure/event_counting.h"

#include <linux/perf_event.h>

#include "duetbench/measure/pacing.h"
#include "gtest/gtest.h"
#include "tests/platform/fake_perf.h"

namespace duetbench {
namespace {

RunPlan PlanWithEvents(uint32_t events) {
  RunPlan plan;
  plan.seed = 11;
  plan.events = events;
  return plan;
}

CountRecord Record(uint64_t pair_index, const std::vector<double>& counts) {
  CountRecord record{};
  record.pair_index = pair_index;
  record.iterations = 10;
  for (size_t i = 0; i < counts.size(); ++i) {
    record.counts[i].counted = counts[i] >= 0;
    record.counts[i].value = counts[i];
  }
  return record;
}

TEST(CountsEventsInPair, OneInEightAtRandom) {
  const RunPlan plan = PlanWithEvents(1);
  int counting = 0;
  int neighbours = 0;
  constexpr double kIterations = 8000;
  for (uint64_t i = 0; i < 8000; ++i) {
    if (!CountsEventsInPair(plan, 50e3, i, 1)) continue;
    ++counting;
    if (CountsEventsInPair(plan, 50e3, i + 1, 1)) ++neighbours;
  }
  EXPECT_GT(counting, kIterations / 8 * 0.85);
  EXPECT_LT(counting, kIterations / 8 * 1.15);
  EXPECT_GT(neighbours, 0) << "in no rhythm";
}

TEST(CountsEventsInPair, OtherOnesInEveryRun) {
  RunPlan first = PlanWithEvents(1);
  RunPlan second = first;
  second.run = 1;
  int different = 0;
  for (uint64_t i = 0; i < 100; ++i) {
    if (CountsEventsInPair(first, 50e3, i, 1) != CountsEventsInPair(second, 50e3, i, 1))
      ++different;
  }
  EXPECT_GT(different, 5);
}

TEST(CountsEventsInPair, EveryLongOneAndNoneWithoutEvents) {
  for (uint64_t i = 0; i < 100; ++i) {
    EXPECT_TRUE(CountsEventsInPair(PlanWithEvents(1), kLongSampleNs, i, 1));
    EXPECT_FALSE(CountsEventsInPair(PlanWithEvents(0), kLongSampleNs, i, 1));
    EXPECT_FALSE(CountsEventsInPair(PlanWithEvents(0), 50e3, i, 1));
  }
}

TEST(CountsEventsInPair, EveryOneOfAFixedNumber) {
  RunPlan plan = PlanWithEvents(1);
  EXPECT_FALSE(CountsAndTimes(plan, 50e3));
  plan.fixed_iterations = 100;
  EXPECT_TRUE(CountsAndTimes(plan, 50e3));
  for (uint64_t i = 0; i < 20; ++i) EXPECT_TRUE(CountsEventsInPair(plan, 50e3, i, 1));
}

TEST(CountsEventsInPair, TheFirstOfARunInAnyCase) {
  for (uint64_t i = 0; i < 20; ++i) {
    EXPECT_TRUE(CountsEventsInPair(PlanWithEvents(1), 50e3, i, 0));
    EXPECT_FALSE(CountsEventsInPair(PlanWithEvents(0), 50e3, i, 0));
  }
}

TEST(AddCounts, SumsWhatBothSidesCounted) {
  const CountRecord old_records[] = {Record(3, {5, 0}), Record(9, {7, 0})};
  const CountRecord new_records[] = {Record(3, {50, 1}), Record(9, {70, 2})};
  std::vector<EventTally> tallies(2);
  AddCounts(old_records, new_records, &tallies);
  EXPECT_EQ(tallies[0].counts[0], 12);
  EXPECT_EQ(tallies[0].counts[1], 120);
  EXPECT_EQ(tallies[0].iterations[0], 20);
  EXPECT_EQ(tallies[0].iterations[1], 20);
  EXPECT_EQ(tallies[0].pairs, 2u);
  EXPECT_EQ(tallies[1].counts[0], 0);
  EXPECT_EQ(tallies[1].counts[1], 3);
}

TEST(AddCounts, EventMissingOnOneSideIsIgnoredOnBoth) {
  const CountRecord old_records[] = {Record(3, {5, 1}), Record(9, {-1, 2})};
  const CountRecord new_records[] = {Record(3, {50, -1}), Record(9, {70, 3})};
  std::vector<EventTally> tallies(2);
  AddCounts(old_records, new_records, &tallies);
  EXPECT_EQ(tallies[0].counts[0], 5);
  EXPECT_EQ(tallies[0].counts[1], 50);
  EXPECT_EQ(tallies[0].pairs, 1u);
  EXPECT_EQ(tallies[1].counts[0], 2);
  EXPECT_EQ(tallies[1].counts[1], 3);
}

TEST(AddCounts, PairsTheSameIterations) {
  const CountRecord old_records[] = {Record(3, {1}), Record(5, {2}), Record(9, {4})};
  const CountRecord new_records[] = {Record(5, {20}), Record(7, {30})};
  std::vector<EventTally> tallies(1);
  AddCounts(old_records, new_records, &tallies);
  EXPECT_EQ(tallies[0].counts[0], 2);
  EXPECT_EQ(tallies[0].counts[1], 20);
  EXPECT_EQ(tallies[0].pairs, 1u);
}

TEST(AddCounts, RemembersScaling) {
  CountRecord old_record = Record(3, {6});
  old_record.counts[0].scaled = true;
  const CountRecord new_record = Record(3, {8});
  std::vector<EventTally> tallies(1);
  AddCounts({&old_record, 1}, {&new_record, 1}, &tallies);
  EXPECT_EQ(tallies[0].scaled, 1u);
  EXPECT_EQ(tallies[0].counts[1], 8);
}

}  // namespace
}  // namespace duetbench
