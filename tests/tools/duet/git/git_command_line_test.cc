#include "tools/duet/git/git_command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duetbench::duet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ParseGitCommandLine, TakesRevisionsAndFlags) {
  const auto line = ParseGitCommandLine({"v1", "--binary=bench", "HEAD~1", "--duet_runs=2",
                                         "--build=make", "--data=shared", "--", "-q"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->base, "v1");
  EXPECT_EQ(line->revision, "HEAD~1");
  EXPECT_EQ(line->build, "make");
  EXPECT_THAT(line->compare, ElementsAre("--duet_runs=2", "-q"));
  EXPECT_FALSE(line->bisects);
  EXPECT_TRUE(line->is_data_shared);
}

TEST(ParseGitCommandLine, TakesARange) {
  const auto line =
      ParseGitCommandLine({"--bisect=v1..HEAD", "--binary=b", "--benchmark_filter=x"});
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
  EXPECT_THAT(ParseGitCommandLine({"a", "--binary=b", "--layouts=8"}).status().message(),
              HasSubstr("every run has another code layout now"));
  for (const char* filter : {"--benchmark_filter=", "--duet_runs=2"}) {
    EXPECT_THAT(ParseGitCommandLine({"--bisect=a..b", "--binary=b", filter}).status().message(),
                HasSubstr("--benchmark_filter='^NAME$' is missing"));
  }
}

TEST(FillIn, QuotesFolders) {
  EXPECT_EQ(FillIn("cmake {source} -B {build} {x}", "/a", "/b c"), "cmake /a -B '/b c' {x}");
}

}  // namespace
}  // namespace duetbench::duet
