#include "tools/duet/git/git_command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duetbench::duet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ParseGitCommandLine, TakesRevisionsAndFlags) {
  const auto line = ParseGitCommandLine(
      {"v1", "--binary=bench", "HEAD~1", "--duet_runs=2", "--build=make", "--", "-q"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->base, "v1");
  EXPECT_EQ(line->revision, "HEAD~1");
  EXPECT_EQ(line->build, "make");
  EXPECT_THAT(line->compare, ElementsAre("--duet_runs=2", "-q"));
  EXPECT_FALSE(line->bisects);
}

TEST(ParseGitCommandLine, TakesARange) {
  const auto line = ParseGitCommandLine({"--bisect=v1..HEAD", "--binary=b"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_TRUE(line->bisects);
  EXPECT_EQ(line->base, "v1");
  EXPECT_EQ(line->revision, "HEAD");
  for (const char* range : {"v1", "..v1", "v1..", ""}) {
    EXPECT_THAT(
        ParseGitCommandLine({std::string("--bisect=") + range, "--binary=b"}).status().message(),
        HasSubstr("should be GOOD..BAD"));
  }
}

TEST(ParseGitCommandLine, TakesANumberOfLayouts) {
  const auto line = ParseGitCommandLine({"v1", "--binary=b", "--layouts=8"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->layouts, 8);
  EXPECT_EQ(ParseGitCommandLine({"v1", "--binary=b"})->layouts, 0);
  for (const char* flag : {"--layouts=", "--layouts=2", "--layouts=65", "--layouts=8x"}) {
    EXPECT_THAT(ParseGitCommandLine({"v1", "--binary=b", flag}).status().message(),
                HasSubstr("should be a number from 3 to 64"));
  }
}

TEST(ParseGitCommandLine, TakesFoldersToLink) {
  const auto line =
      ParseGitCommandLine({"v1", "--binary=b", "--link=third_party/fmt/", "--link=x", "--rebuild"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(line->links, ElementsAre("third_party/fmt", "x"));
  EXPECT_TRUE(line->rebuild);
  for (const char* path : {"", "/", "/usr/include", "..", "a/../b", "./a", "a//b", ".git/hooks"}) {
    EXPECT_THAT(
        ParseGitCommandLine({"v1", "--binary=b", std::string("--link=") + path}).status().message(),
        HasSubstr("should be a path below the topmost folder"))
        << path;
  }
}

TEST(ParseGitCommandLine, WhatIsMissingOrTooMuchIsAnError) {
  EXPECT_THAT(ParseGitCommandLine({"v1"}).status().message(), HasSubstr("--binary"));
  EXPECT_THAT(ParseGitCommandLine({"--binary=b"}).status().message(), HasSubstr("no BASE"));
  EXPECT_THAT(ParseGitCommandLine({"a", "b", "c", "--binary=b"}).status().message(),
              HasSubstr("'c' is too much"));
  EXPECT_THAT(ParseGitCommandLine({"a", "--bnary=b"}).status().message(),
              HasSubstr("unknown flag"));
}

TEST(FillIn, QuotesFolders) {
  EXPECT_EQ(FillIn("cmake {source} -B {build} {x}", "/a", "/b c"), "cmake /a -B '/b c' {x}");
}

}  // namespace
}  // namespace duetbench::duet
