#include "duetbench/registry/plain_row.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

RowDemand HalfASecond() {
  RowDemand demand;
  demand.min_time = 0.5;
  return demand;
}

TEST(PlanLoopTest, WhatIsBusyAllTheTimeLastsForTheCpuTimeThatIsAskedFor) {
  const LoopTime loop = PlanLoop(100e-9, 100e-9, HalfASecond());
  EXPECT_GE(loop.cpu, 0.5);
  EXPECT_LT(loop.cpu, 0.55);
  EXPECT_EQ(loop.real, loop.cpu);
}

TEST(PlanLoopTest, WhatIsBusyHalfOfTheTimeLastsTwiceAsLong) {
  const LoopTime loop = PlanLoop(100e-9, 50e-9, HalfASecond());
  EXPECT_GE(loop.cpu, 0.5);
  EXPECT_NEAR(loop.real, 2 * loop.cpu, 1e-12);
}

// The library takes five times as much real time for enough.
TEST(PlanLoopTest, WhatSleepsLastsForFiveTimesTheTimeThatIsAskedFor) {
  for (const double cpu : {0.0, 1e-9}) {
    const LoopTime loop = PlanLoop(1e-3, cpu, HalfASecond());
    EXPECT_GE(loop.real, 2.5);
    EXPECT_LT(loop.real, 2.75);
    EXPECT_NEAR(loop.cpu, loop.real * cpu / 1e-3, 1e-12);
  }
}

TEST(PlanLoopTest, WithUseRealTimeRealTimeIsEnough) {
  RowDemand demand = HalfASecond();
  demand.real_time = true;
  const LoopTime loop = PlanLoop(1e-3, 0, demand);
  EXPECT_GE(loop.real, 0.5);
  EXPECT_LT(loop.real, 0.55);
  EXPECT_EQ(loop.cpu, 0);
}

TEST(PlanLoopTest, NoMoreCpuTimeThanRealTime) {
  const LoopTime loop = PlanLoop(100e-9, 130e-9, HalfASecond());
  EXPECT_EQ(loop.real, loop.cpu);
}

}  // namespace
}  // namespace duetbench
