#include "duetbench/report/printable.h"

#include <string>

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

}  // namespace

}  // namespace duetbench
