#include "duetbench/variant/empty_loop.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

int Seven() { return 7; }

TEST(EmptyLoop, ACallCostsMoreThanALoop) {
  const auto loop = MakeVariant([](State& state) {
    for (auto _ : state) benchmark::ClobberMemory();
  });
  const double loop_ns = EmptyIterationNs(*loop, 1);
  const double call_ns = EmptyIterationNs(*MakeVariant(&Seven), 1);
  if (loop_ns == 0) GTEST_SKIP() << "built without optimization";
  EXPECT_GT(loop_ns, 0);
  EXPECT_GT(call_ns, loop_ns);
  EXPECT_EQ(EmptyIterationNs(*loop, 2), 2 * loop_ns) << "measured once";
}

TEST(EmptyLoop, LacksWorkUpToATolerance) {
  EXPECT_TRUE(LacksWork(0.4, 0.4));
  EXPECT_TRUE(LacksWork(0.5, 0.4));
  EXPECT_FALSE(LacksWork(0.8, 0.4));
  EXPECT_FALSE(LacksWork(0.4, 0));
}

}  // namespace
}  // namespace duetbench
