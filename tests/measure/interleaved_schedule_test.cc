#include "duetbench/measure/interleaved_schedule.h"

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "duetbench/measure/measuring_loop.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

TEST(Interleaved, NeverRunsBothAtOnce) {
  std::atomic<int> running{0};
  std::atomic<int> together{0};
  const auto variant = [&](State& state) {
    for (auto _ : state) {
      if (++running > 1) ++together;
      Work(300);
      --running;
    }
  };
  const RunPlan plan = ShortPlan(Schedule::kInterleaved);
  const RunResult result = Execute(plan, variant, variant);
  ASSERT_EQ(result.error.cause, "");
  EXPECT_EQ(together, 0);
  ASSERT_FALSE(result.pairs.empty());
  for (const PairRecord& pair : result.pairs) {
    // The second sample starts when the first one is done.
    const double of_first = pair.ticks[pair.assignment == 0 ? 0 : 1];
    EXPECT_GE(pair.assignment == 0 ? pair.skew_ticks : -pair.skew_ticks, of_first);
    EXPECT_EQ(pair.overlap, 0);
  }
}

// Both come to the end of the calibration at once; neither goes on with what the other left behind.
TEST(Interleaved, BothVariantsExecuteEquallyManyIterations) {
  RunPlan plan = ShortPlan(Schedule::kInterleaved);
  plan.budget_ns = 0;
  for (plan.run = 0; plan.run < 20; ++plan.run) {
    std::atomic<int64_t> iterations[2] = {{0}, {0}};
    const auto counting = [&iterations](int variant) {
      return [&iterations, variant](State& state) {
        for (auto _ : state) {
          ++iterations[variant];
          Work();
        }
      };
    };
    const RunResult result = Execute(plan, counting(0), counting(1));
    ASSERT_EQ(result.error.cause, "");
    EXPECT_EQ(iterations[0], iterations[1]);
  }
}

TEST(Interleaved, StaysOnOneCpu) {
  const RunPlan plan = ShortPlan(Schedule::kInterleaved);
  const RunResult result = Execute(plan, WorkLoop, WorkLoop);
  ASSERT_EQ(result.error.cause, "");
  for (const PairRecord& pair : result.pairs) {
    EXPECT_EQ(pair.cpus[0], plan.cpus[0]);
    EXPECT_EQ(pair.cpus[1], plan.cpus[0]);
    EXPECT_EQ(pair.block, 0u);
  }
}

TEST(Interleaved, TheOrderIsAbbaAndRandom) {
  RunPlan plan = ShortPlan(Schedule::kInterleaved);
  plan.budget_ns = 20e6;
  plan.batch = 100;
  plan.sample_ns = 5e3;
  const RunResult result = Execute(plan, WorkLoop, WorkLoop);
  ASSERT_EQ(result.error.cause, "");
  ASSERT_GT(result.pairs.size(), 50u);
  int old_first = 0;
  std::set<std::string> orders;  // of two pairs
  for (size_t i = 0; i < result.pairs.size(); ++i) {
    const PairRecord& pair = result.pairs[i];
    EXPECT_EQ(pair.assignment == 0, OldGoesFirst(plan.seed, plan.run, pair.pair_index));
    old_first += pair.assignment == 0 ? 1 : 0;
    if (pair.pair_index % 2 == 1 && i > 0) {
      EXPECT_NE(pair.assignment, result.pairs[i - 1].assignment);
      orders.insert(pair.assignment == 1 ? "old new new old" : "new old old new");
    }
  }
  const auto pairs = static_cast<int>(result.pairs.size());
  EXPECT_LE(std::abs(2 * old_first - pairs), 2);
  EXPECT_EQ(orders.size(), 2u);
}

}  // namespace
}  // namespace duetbench
