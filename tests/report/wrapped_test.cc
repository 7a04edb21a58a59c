#include "duetbench/report/wrapped.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

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
