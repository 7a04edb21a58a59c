#include "duetbench/stats/robust.h"

#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

TEST(TrimmedMean, DropsTheSameNumberAtBothEnds) {
  EXPECT_DOUBLE_EQ(TrimmedMean({1000, 3, 1, 2, 4, 5, 6, 7, 8, -1000}, 0.1), 4.5);
  EXPECT_DOUBLE_EQ(TrimmedMean({3, 1, 2}, 0.1), 2.0);  // floor(0.3) = 0: nothing is dropped
  EXPECT_DOUBLE_EQ(TrimmedMean({7}, 0.1), 7.0);
}

}  // namespace
}  // namespace duetbench::stats
