#include "duetbench/report/printable.h"

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
}

TEST(PrintableTest, WhatIsNotUtf8IsReplaced) {
  EXPECT_EQ(Printable("a\xff"), "a\uFFFD");
  EXPECT_EQ(Printable("caf\xe9 au lait"), "caf\uFFFD au lait");
  EXPECT_EQ(Printable("cut \xe6\xbc"), "cut \uFFFD");
}

}  // namespace
}  // namespace duetbench
