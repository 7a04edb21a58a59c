#include "duetbench/explain/time_difference.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(TimeDifference, IsTheMeanOverTheRunsWithATInterval) {
  const TimeDifference time = DifferenceOf({{10, 12}, {11, 14}, {12, 16}}, 0.05);
  EXPECT_DOUBLE_EQ(time.ns[0], 11);
  EXPECT_DOUBLE_EQ(time.ns[1], 14);
  EXPECT_DOUBLE_EQ(time.difference_ns, 3);
  // R: t.test(c(2, 3, 4))
  EXPECT_NEAR(time.lo_ns, 0.5158623, 1e-6);
  EXPECT_NEAR(time.hi_ns, 5.4841377, 1e-6);
  EXPECT_TRUE(time.is_proven());
  EXPECT_FALSE(DifferenceOf({{10, 12}, {11, 14}, {12, 16}}, 0.01).is_proven());
}

}  // namespace
}  // namespace duetbench
