#include "duetbench/report/text.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(PrintableTest, LeavesTextAsItIs) {
  EXPECT_EQ(Printable(""), "");
  EXPECT_EQ(Printable("threw \"E\": C:\\dir, 50 %"), "threw \"E\": C:\\dir, 50 %");
  EXPECT_EQ(Printable("é, 漢, 🙂"), "é, 漢, 🙂");
}

TEST(PrintableTest, ControlCharactersBecomeSpaces) {
  EXPECT_EQ(Printable("a\nb\tc\r\x01\x1b[31m\x7f"), "a b c   [31m ");
  EXPECT_EQ(Printable(std::string("a\0b", 3)), "a b");
  EXPECT_EQ(Printable("a\u0085b\u009b31m"), "a b 31m") << "C1";
  EXPECT_EQ(Printable("a\u2028b\u2029c"), "a b c") << "ends of lines";
  EXPECT_EQ(Printable("safe\u202Ecc.evil\u2066x\u200F"), "safe cc.evil x ") << "directions";
  EXPECT_EQ(Printable("a\u00A0b, \u2013 \u2026"), "a\u00A0b, \u2013 \u2026") << "neighbours stay";
}

TEST(PrintableTest, WhatIsNotUtf8IsReplaced) {
  EXPECT_EQ(Printable("a\xff"), "a\uFFFD");
  EXPECT_EQ(Printable("caf\xe9 au lait"), "caf\uFFFD au lait");
  EXPECT_EQ(Printable("cut \xe6\xbc"), "cut \uFFFD");
}

TEST(Wrapped, BreaksBetweenWords) {
  EXPECT_EQ(Wrapped("one two three", 7, "  "), "one two\n  three");
  EXPECT_EQ(Wrapped("one two three", 13, "  "), "one two three");
  EXPECT_EQ(Wrapped("  one two", 5, "  "), "  one\n  two");
  EXPECT_EQ(Wrapped("one  two", 8, ""), "one  two") << "inner spaces stay where nothing is broken";
  EXPECT_EQ(Wrapped("", 8, "  "), "");
}

TEST(Wrapped, LeavesLongWordsWhole) {
  EXPECT_EQ(Wrapped("see /a/long/path/to/it now", 8, "  "), "see\n  /a/long/path/to/it\n  now");
  EXPECT_EQ(Wrapped("/a/long/path", 5, "  "), "/a/long/path");
}

TEST(Wrapped, CountsCharacters) {
  EXPECT_EQ(Width("1.05 ×"), 6u);
  EXPECT_EQ(Wrapped("××× ××× a", 9, "  "), "××× ××× a");
}

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
