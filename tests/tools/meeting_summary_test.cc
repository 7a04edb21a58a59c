#include "tools/duet_lab/meeting_summary.h"

#include <vector>

#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

TEST(MeetingSummary, SkewIsBetweenTheStartsAndCostFromTheLaterArrivalToTheLaterStart) {
  const std::vector<MeetingStamps> first = {{100, 220}};
  const std::vector<MeetingStamps> second = {{150, 210}};
  const MeetingSummary summary = SummarizeMeetings(first, second, 0.5);
  EXPECT_EQ(summary.skew_p50_ns, 5);
  EXPECT_EQ(summary.cost_p50_ns, 35);
  const MeetingSummary swapped = SummarizeMeetings(second, first, 0.5);
  EXPECT_EQ(swapped.skew_p50_ns, 5);
  EXPECT_EQ(swapped.cost_p50_ns, 35);
}

TEST(MeetingSummary, QuantilesAreOverTheMeetings) {
  std::vector<MeetingStamps> first;
  std::vector<MeetingStamps> second;
  for (uint64_t i = 0; i <= 100; ++i) {
    first.push_back({1'000 * i, 1'000 * i + 50});
    second.push_back({1'000 * i, 1'000 * i + 50 + i});
  }
  const MeetingSummary summary = SummarizeMeetings(first, second, 1);
  EXPECT_DOUBLE_EQ(summary.skew_p50_ns, 50);
  EXPECT_DOUBLE_EQ(summary.skew_p99_ns, 99);
  EXPECT_DOUBLE_EQ(summary.cost_p50_ns, 100);
  EXPECT_DOUBLE_EQ(summary.cost_p99_ns, 149);
}

// The clocks of two CPUs may disagree: what is a tick too early must not become 2^64 ticks.
TEST(MeetingSummary, AStartBeforeTheOthersArrivalIsANegativeCost) {
  const std::vector<MeetingStamps> first = {{100, 101}};
  const std::vector<MeetingStamps> second = {{103, 102}};
  EXPECT_EQ(SummarizeMeetings(first, second, 1).cost_p50_ns, -1);
}

}  // namespace
}  // namespace duetbench::lab
