#include "duetbench/page/extent.h"

#include <limits>

#include "gtest/gtest.h"

namespace duetbench::page {
namespace {

TEST(Extent, LeavesOutWhatALogarithmicAxisCannotShow) {
  Extent extent;
  for (const double value : {2.0, 0.0, -1.0, std::numeric_limits<double>::infinity(), 8.0, 4.0}) {
    extent.Add(value);
  }
  EXPECT_EQ(extent.lo, 2);
  EXPECT_EQ(extent.hi, 8);
  const Axis axis = extent.ToAxis(0, 100);
  EXPECT_LT(axis.lo(), 2);
  EXPECT_GT(axis.hi(), 8);
}

TEST(Extent, OfOneValueHasRoom) {
  Extent extent;
  extent.Add(3);
  EXPECT_LT(extent.ToAxis(0, 100).At(3), 51);
  EXPECT_GT(extent.ToAxis(0, 100).At(3), 49);
}

TEST(Extent, AddsWhatIsNear) {
  Extent extent;
  extent.Add(2);
  extent.Add(2.1);
  EXPECT_FALSE(extent.AddIfNear(1));
  EXPECT_EQ(extent.lo, 2);
  EXPECT_TRUE(extent.AddIfNear(1.9));
  EXPECT_EQ(extent.lo, 1.9);
}

}  // namespace
}  // namespace duetbench::page
