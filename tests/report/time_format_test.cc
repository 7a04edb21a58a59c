#include "duetbench/report/time_format.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(ShortTimeText, HasTheUnitThatMakesItShort) {
  EXPECT_EQ(ShortTimeText(0.25), "0.25 ns");
  EXPECT_EQ(ShortTimeText(999.4), "999 ns");
  EXPECT_EQ(ShortTimeText(1234), "1.23 µs");
  EXPECT_EQ(ShortTimeText(56.78e6), "56.8 ms");
  EXPECT_EQ(ShortTimeText(61e9), "61 s");
}

}  // namespace
}  // namespace duetbench
