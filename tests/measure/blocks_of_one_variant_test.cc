// Blocks in which one variant runs: segments of a run in short turns, and the alternating schedule.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "duetbench/measure/measuring_loop.h"
#include "duetbench/measure/pacing.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

// The variants in the order of their iterations, each of which takes some microseconds.
std::vector<int> OrderOf(const RunPlan& plan, RunResult* result) {
  std::vector<int> order;  // one variant at a time
  const auto variant = [&](int number) {
    return [&, number](State& state) {
      for (auto _ : state) {
        Work(300);
        order.push_back(number);
      }
    };
  };
  *result = Execute(plan, variant(0), variant(1));
  return order;
}

size_t LongestBlock(const std::vector<int>& order) {
  size_t longest = 0;
  size_t length = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    length = i > 0 && order[i] == order[i - 1] ? length + 1 : 1;
    longest = std::max(longest, length);
  }
  return longest;
}

RunPlan OneIterationASample(Schedule schedule) {
  RunPlan plan = ShortPlan(schedule);
  plan.budget_ns = 40e6;
  plan.batch = 1;
  plan.sample_ns = 20e3;
  plan.min_batch_ns = 20e3;
  return plan;
}

TEST(Interleaved, SegmentsAreBlocksOfOneVariantAndFlagged) {
  RunPlan plan = OneIterationASample(Schedule::kInterleaved);
  RunResult result;
  EXPECT_EQ(LongestBlock(OrderOf(plan, &result)), 2u) << "ABBA";
  ASSERT_EQ(result.error.cause, "");
  plan.solo_share = 0.2;
  const SoloPacing pacing = PaceSolo(plan, plan.sample_ns);
  ASSERT_GT(pacing.pairs, 100u);
  EXPECT_GE(LongestBlock(OrderOf(plan, &result)), pacing.pairs);
  ASSERT_EQ(result.error.cause, "");
  uint64_t solo = 0;
  std::set<uint32_t> orders;
  for (const PairRecord& pair : result.pairs) {
    if ((pair.flags & kSolo) == 0) continue;
    ++solo;
    orders.insert(pair.assignment);
  }
  EXPECT_EQ(solo, pacing.pairs - pacing.discard);
  EXPECT_EQ(orders.size(), 1u) << "the block that came first";
  EXPECT_GT(result.pairs.size(), solo);
}

TEST(Duet, InASegmentOneVariantIsExecutedWhileTheOtherSleeps) {
  if (!HaveTwoCpus()) GTEST_SKIP() << "needs two CPUs";
  RunPlan plan = OneIterationASample(Schedule::kDuet);
  plan.solo_share = 0.2;
  const SoloPacing pacing = PaceSolo(plan, plan.sample_ns);
  ASSERT_GT(pacing.pairs, 100u);
  std::atomic<uint64_t> iterations[2] = {{0}, {0}};
  uint64_t longest[2] = {0, 0};  // iterations while the partner had none
  const auto variant = [&](int number) {
    return [&, number](State& state) {
      uint64_t seen = 0;
      uint64_t length = 0;
      for (auto _ : state) {
        Work(300);
        ++iterations[number];
        const uint64_t of_partner = iterations[1 - number];
        length = of_partner == seen ? length + 1 : 1;
        seen = of_partner;
        longest[number] = std::max(longest[number], length);
      }
    };
  };
  std::set<uint32_t> assignments;
  for (plan.run = 0; plan.run < 8; ++plan.run) {
    longest[0] = longest[1] = 0;
    const RunResult result = Measured(plan, variant(0), variant(1));
    EXPECT_GE(longest[0], pacing.pairs - 1);
    EXPECT_GE(longest[1], pacing.pairs - 1);
    uint64_t solo = 0;
    for (const PairRecord& pair : result.pairs) {
      if ((pair.flags & kSolo) == 0) continue;
      ++solo;
      EXPECT_NE(pair.cpus[0], pair.cpus[1]);
      assignments.insert(pair.assignment);
    }
    EXPECT_EQ(solo, pacing.pairs - pacing.discard);
    EXPECT_GT(result.pairs.size(), solo);
  }
  EXPECT_EQ(assignments.size(), 2u) << "over the runs, either variant on either CPU";
}

TEST(Alternating, IsBlocksOfOneVariant) {
  const RunPlan plan = OneIterationASample(Schedule::kAlternating);
  const SoloPacing pacing = PaceSolo(plan, plan.sample_ns);
  ASSERT_GE(pacing.pairs, 200u);
  RunResult result;
  EXPECT_GE(LongestBlock(OrderOf(plan, &result)), pacing.pairs);
  ASSERT_EQ(result.error.cause, "");
  const uint64_t of_segment = pacing.pairs - pacing.discard;
  EXPECT_GE(result.pairs.size(), of_segment);
  EXPECT_EQ(result.pairs.size() % of_segment, 0u);
  for (const PairRecord& pair : result.pairs) {
    EXPECT_EQ(pair.flags & kSolo, 0u) << "these are the pairs of the ratio";
    EXPECT_EQ(pair.cpus[0], pair.cpus[1]);
  }
}

}  // namespace
}  // namespace duetbench
