#include "duetbench/report/printable.h"

#include <ostream>
#include <sstream>
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

std::string Written(const std::string& text) {
  std::ostringstream out;
  WithoutWorkflowCommands guard(out.rdbuf());
  std::ostream stream(&guard);
  // Flushed within the line: what the reader gets is the same.
  for (const char c : text) stream << c << std::flush;
  EXPECT_TRUE(stream.good());
  return out.str();
}

TEST(WithoutWorkflowCommands, OtherTextIsUnchanged) {
  const std::string text =
      "BM_Parse::x  1.2 ns\n:x\n: :\na::error::b\n#[x] # #[y] \n\n  duetbench: 3 runs\n\0\xff\n";
  EXPECT_EQ(Written(text), text);
}

TEST(WithoutWorkflowCommands, CommandsAreNone) {
  EXPECT_EQ(Written("::error::x\n"), "\\::error::x\n");
  EXPECT_EQ(Written("a\n \t::set-env name=PATH::x\n"), "a\n \t\\::set-env name=PATH::x\n");
  EXPECT_EQ(Written("a\r::error::x\n"), "a\r\\::error::x\n");
  EXPECT_EQ(Written(":::error::x\n"), "\\:::error::x\n");
  EXPECT_EQ(Written("a ##[error]x ###[y]\n"), "a ##\\[error]x ###\\[y]\n");
}

TEST(WithoutWorkflowCommands, ADestinationThatFailsIsTold) {
  struct Full : std::streambuf {
  } full;
  WithoutWorkflowCommands guard(&full);
  std::ostream stream(&guard);
  stream << "x" << std::flush;
  EXPECT_FALSE(stream.good());
}

}  // namespace

}  // namespace duetbench
