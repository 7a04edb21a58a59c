#include "duetbench/report/number_text.h"

#include <cmath>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(TimeText, HasTheUnitThatMakesItShort) {
  EXPECT_EQ(TimeText(1.2345), "1.234 ns");
  EXPECT_EQ(TimeText(125), "125.0 ns");
  EXPECT_EQ(TimeText(2345), "2.345 µs");
  EXPECT_EQ(TimeText(45.6e6), "45.60 ms");
  EXPECT_EQ(TimeText(7e9), "7.000 s");
}

TEST(ShortTimeText, HasTheUnitThatMakesItShort) {
  EXPECT_EQ(ShortTimeText(0.25), "0.25 ns");
  EXPECT_EQ(ShortTimeText(999.4), "999 ns");
  EXPECT_EQ(ShortTimeText(1234), "1.23 µs");
  EXPECT_EQ(ShortTimeText(56.78e6), "56.8 ms");
  EXPECT_EQ(ShortTimeText(61e9), "61 s");
}

TEST(PercentText, HasTwoDigits) {
  EXPECT_EQ(PercentText(0.0123), "1.2 %");
  EXPECT_EQ(PercentText(0.5), "50 %");
}

TEST(DurationText, HasTheUnitThatMakesItShort) {
  EXPECT_EQ(DurationText(7.25), "7.25 s");
  EXPECT_EQ(DurationText(90), "90 s");
  EXPECT_EQ(DurationText(270), "4.5 min");
  EXPECT_EQ(DurationText(9000), "2.5 h");
}

TEST(Grouped, SeparatesThousands) {
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1'000), "1,000");
  EXPECT_EQ(Grouped(1'234'567), "1,234,567");
}

TEST(Plural, HasNoPluralForOne) {
  EXPECT_EQ(Plural(1, "pair"), "1 pair");
  EXPECT_EQ(Plural(0, "pair"), "0 pairs");
}

}  // namespace
}  // namespace duetbench
