#include "tools/duet_lab/mechanisms/rendezvous.h"

#include <vector>

#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

TEST(RendezvousSummary, HasSkewOfStartsAndCostSinceTheLaterArrival) {
  const std::vector<RendezvousStamps> first = {{100, 220}};
  const std::vector<RendezvousStamps> second = {{150, 210}};
  const RendezvousSummary summary = SummarizeRendezvous(first, second, 0.5);
  EXPECT_EQ(summary.skew_p50_ns, 5);
  EXPECT_EQ(summary.cost_p50_ns, 35);
  const RendezvousSummary swapped = SummarizeRendezvous(second, first, 0.5);
  EXPECT_EQ(swapped.skew_p50_ns, 5);
  EXPECT_EQ(swapped.cost_p50_ns, 35);
}

TEST(RendezvousSummary, QuantilesAreOverTheSeries) {
  std::vector<RendezvousStamps> first;
  std::vector<RendezvousStamps> second;
  for (uint64_t i = 0; i <= 100; ++i) {
    first.push_back({1'000 * i, 1'000 * i + 50});
    second.push_back({1'000 * i, 1'000 * i + 50 + i});
  }
  const RendezvousSummary summary = SummarizeRendezvous(first, second, 1);
  EXPECT_DOUBLE_EQ(summary.skew_p50_ns, 50);
  EXPECT_DOUBLE_EQ(summary.skew_p99_ns, 99);
  EXPECT_DOUBLE_EQ(summary.cost_p50_ns, 100);
  EXPECT_DOUBLE_EQ(summary.cost_p99_ns, 149);
}

// The clocks of two CPUs may disagree: what is a tick too early must not become 2^64 ticks.
TEST(RendezvousSummary, AStartBeforeTheOthersArrivalIsANegativeCost) {
  const std::vector<RendezvousStamps> first = {{100, 101}};
  const std::vector<RendezvousStamps> second = {{103, 102}};
  EXPECT_EQ(SummarizeRendezvous(first, second, 1).cost_p50_ns, -1);
}

}  // namespace
}  // namespace duetbench::lab
