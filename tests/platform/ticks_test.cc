#include "duetbench/platform/ticks.h"

#include <algorithm>
#include <chrono>
#include <thread>

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

// Each clock is read before and after the other one: a thread that is preempted between two
// readings widens only the outer one of the two spans.
TEST(Ticks, AdvanceWithTheMonotonicClock) {
  const double ns_per_tick = NsPerTick();
  struct Reading {
    uint64_t ticks_before = ticks::Start();
    uint64_t ns_before = ticks::MonotonicNs();
    uint64_t ticks_after = ticks::Stop();
    uint64_t ns_after = ticks::MonotonicNs();
  };
  const Reading begin;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const Reading end;
  const auto ns_of_ticks = [ns_per_tick](uint64_t from, uint64_t to) {
    return static_cast<double>(to - from) * ns_per_tick;
  };
  EXPECT_GT(ns_of_ticks(begin.ticks_before, end.ticks_after),
            static_cast<double>(end.ns_before - begin.ns_before) * 0.99);
  EXPECT_LT(ns_of_ticks(begin.ticks_after, end.ticks_before),
            static_cast<double>(end.ns_after - begin.ns_before) * 1.01);
}

// The least of many: whatever else the machine does makes times longer.
template <class Measure>
uint64_t LeastOf(int count, Measure measure) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < count; ++i) least = std::min(least, measure());
  return least;
}

TEST(SpeedProbe, TakesItsTimeEachTime) {
  const uint64_t one = LeastOf(1000, SpeedProbeTicks);
  const uint64_t ten = LeastOf(300, [] {
    const uint64_t start = ticks::Now();
    for (int i = 0; i < 10; ++i) SpeedProbeTicks();
    return ticks::Stop() - start;
  });
  EXPECT_GE(one, 1);
  EXPECT_GE(ten, 3 * one);
  EXPECT_LE(ten, 40 * one);
}

}  // namespace
}  // namespace duetbench
