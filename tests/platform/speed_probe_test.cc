
#include <algorithm>

#include "duetbench/platform/ticks.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

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
