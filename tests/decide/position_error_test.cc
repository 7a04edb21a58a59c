#include "duetbench/decide/position_error.h"

#include <cmath>

#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

TEST(PositionError, IsTwiceASmallDistance) {
  EXPECT_DOUBLE_EQ(PositionError(0.01, 0), 0.02);
  EXPECT_DOUBLE_EQ(PositionError(-0.01, 0.07), 0.02) << "many passes, each with a slow part";
}

TEST(PositionError, OfAPartOfAPassContainsTheOtherOne) {
  const double whole = 1.1;  // 80 % of the run before the slow part
  const double error = PositionError(std::log(1.1), std::log(1.5 / whole));
  EXPECT_GE(error, std::log(1.3 / whole));
  EXPECT_LE(error, std::log(1.5 / whole));
}

}  // namespace
}  // namespace duetbench::stats
