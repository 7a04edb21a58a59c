#include "duetbench/measure/sample_timer.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(SampleTime, NetTimesAreExchangedExactlyAndPausesInSteps) {
  for (const uint64_t net : {uint64_t{0}, uint64_t{1}, uint64_t{150'000}, uint64_t{300} << 30}) {
    for (const uint64_t paused : {uint64_t{0}, uint64_t{3} << 16, uint64_t{300} << 30}) {
      const SampleTime time = UnpackSampleTime(Pack({net, paused + 7}));
      EXPECT_EQ(time.net, net);
      EXPECT_EQ(time.paused, paused);
    }
  }
}

TEST(SampleTime, WhatIsTooLongIsTheLongest) {
  const SampleTime time = UnpackSampleTime(Pack({~uint64_t{0}, ~uint64_t{0}}));
  EXPECT_EQ(time.net, kMaxPackedTicks);
  EXPECT_GT(time.paused, uint64_t{1} << 39);
}

}  // namespace
}  // namespace duetbench
