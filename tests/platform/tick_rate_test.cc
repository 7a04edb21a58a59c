#include "duetbench/platform/tick_rate.h"

#include <chrono>
#include <thread>

#include "duetbench/platform/ticks.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(ClockTraitsFrom, TakesTheModalRegionAndTheSmallestStep) {
  const ClockTraits traits =
      ClockTraitsFrom({52, 78, 52, 26, 52, 9000}, {100, 100, 126, 178, 178, 204});
  EXPECT_EQ(traits.overhead_ticks, 52u);
  EXPECT_EQ(traits.step_ticks, 26u);
}

TEST(ClockTraitsFrom, AClockThatNeverMovedHasStepOne) {
  EXPECT_EQ(ClockTraitsFrom({0}, {5, 5, 5}).step_ticks, 1u);
}

TEST(Ticks, AdvanceWithTheMonotonicClock) {
  const double ns_per_tick = NsPerTick();
  const uint64_t ticks_before = ticks::Start();
  const uint64_t ns_before = ticks::MonotonicNs();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const uint64_t ns_after = ticks::MonotonicNs();
  const uint64_t ticks_after = ticks::Stop();
  const double ns = static_cast<double>(ticks_after - ticks_before) * ns_per_tick;
  EXPECT_NEAR(ns / static_cast<double>(ns_after - ns_before), 1.0, 0.01);
}

}  // namespace
}  // namespace duetbench
