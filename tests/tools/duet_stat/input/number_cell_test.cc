#include "tools/duet_stat/input/number_cell.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::HasSubstr;

double ReadCell(const std::string& cell) {
  double value = 0;
  EXPECT_TRUE(ReadNumber(cell, &value)) << cell;
  return value;
}

TEST(ReadNumber, ReadsDecimals) {
  EXPECT_EQ(ReadCell("0"), 0);
  EXPECT_EQ(ReadCell("12"), 12);
  EXPECT_EQ(ReadCell("12.5"), 12.5);
  EXPECT_EQ(ReadCell(".5"), 0.5);
  EXPECT_EQ(ReadCell("5."), 5);
  EXPECT_EQ(ReadCell("-3.25"), -3.25);
  EXPECT_EQ(ReadCell("1e3"), 1000);
  EXPECT_EQ(ReadCell(" \t7.5 "), 7.5);
  EXPECT_EQ(ReadCell("0000000000000000000000001.5"), 1.5);
  EXPECT_EQ(ReadCell("inf"), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(ReadCell("nan")));
}

TEST(ReadNumber, RefusesWhatIsNone) {
  double value = 0;
  for (const char* cell : {"", " ", ".", "-", "e5", "1.2.3", "1,5", "1 2", "12x", "x12", "0x10",
                           "1e", "--1", "1e999", "1e-999", "\xff", "12\r"}) {
    EXPECT_FALSE(ReadNumber(cell, &value)) << cell;
  }
  EXPECT_FALSE(ReadNumber(absl::string_view("1\0", 2), &value));
}

// The short way for plain decimals must round like the long one.
TEST(ReadNumber, RoundsCorrectly) {
  std::mt19937_64 random(1);
  char text[64];
  for (int i = 0; i < 200000; ++i) {
    const int digits = static_cast<int>(random() % 17) + 1;
    const int behind = static_cast<int>(random() % 17);
    const double value =
        std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 40) - 60);
    std::snprintf(text, sizeof text, i % 2 == 0 ? "%.*f" : "%.*g", i % 2 == 0 ? behind : digits,
                  value);
    ASSERT_EQ(ReadCell(text), std::strtod(text, nullptr)) << text;
  }
}

TEST(ReadWholeNumber, ReadsIntegersOnly) {
  std::int64_t value = 0;
  EXPECT_TRUE(ReadWholeNumber("42", &value));
  EXPECT_EQ(value, 42);
  EXPECT_TRUE(ReadWholeNumber(" -1 ", &value));
  EXPECT_EQ(value, -1);
  EXPECT_TRUE(ReadWholeNumber("9223372036854775807", &value));
  EXPECT_EQ(value, std::numeric_limits<std::int64_t>::max());
  for (const char* cell : {"", " ", "1.0", "1e3", "9223372036854775808", "a", "1a", "+1"}) {
    EXPECT_FALSE(ReadWholeNumber(cell, &value)) << cell;
  }
}

TEST(WhyNotATime, SaysWhatIsWrong) {
  EXPECT_EQ(WhyNotATime(" "), "is empty");
  EXPECT_EQ(WhyNotATime("abc"), "is not a number: 'abc'");
  EXPECT_EQ(WhyNotATime("0"), "is 0: times are positive");
  EXPECT_EQ(WhyNotATime("-2.5"), "is -2.5: times are positive");
  EXPECT_EQ(WhyNotATime("nan"), "is nan: times are finite");
  EXPECT_EQ(WhyNotATime("-inf"), "is -inf: times are finite");
  EXPECT_EQ(WhyNotATime("1e100"), "is 1e100: times are between 1e-60 and 1e60");
  EXPECT_THAT(WhyNotATime("1e999"), HasSubstr("is not a number"));
}

}  // namespace
}  // namespace duetbench::duet_stat
