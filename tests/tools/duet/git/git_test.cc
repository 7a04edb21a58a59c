#include "tools/duet/git/git.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace duetbench::duet {
namespace {

using testing::ElementsAre;

std::string Error(const std::vector<std::string>& arguments) {
  return std::string(ParseGitCommandLine(arguments).status().message());
}

TEST(ParseGitCommandLine, TakesRevisionsAndFlags) {
  const auto line = ParseGitCommandLine({"v1", "--binary=bench", "HEAD~1", "--duet_runs=2",
                                         "--build=make", "--data=shared", "--", "-q"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->base, "v1");
  EXPECT_EQ(line->revision, "HEAD~1");
  EXPECT_EQ(line->build, "make");
  EXPECT_THAT(line->compare, ElementsAre("--duet_runs=2", "-q"));
  EXPECT_TRUE(line->is_data_shared);
}

TEST(ParseGitCommandLine, TakesFoldersToLink) {
  const auto line =
      ParseGitCommandLine({"v1", "--binary=b", "--link=third_party/fmt/", "--link=x", "--rebuild"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(line->links, ElementsAre("third_party/fmt", "x"));
  EXPECT_TRUE(line->rebuild);
  for (const std::string path :
       {"", "/", "/usr/include", "..", "a/../b", "./a", "a//b", ".git/hooks"}) {
    EXPECT_EQ(Error({"v1", "--binary=b", "--link=" + path}),
              "--link=" + path +
                  ": should be a path below the topmost folder of the working tree, such as "
                  "third_party/fmt");
  }
}

TEST(ParseGitCommandLine, WhatIsMissingOrTooMuchIsAnError) {
  const std::pair<std::vector<std::string>, std::string> kBad[] = {
      {{"v1"}, "--binary=PATH is missing: the program, in the build folder"},
      {{"--binary=b"}, "there is no BASE revision: duet git BASE [NEW]"},
      {{"a", "b", "c", "--binary=b"}, "'c' is too much: duet git BASE [NEW]"},
      {{"a", "--bnary=b"}, "unknown flag --bnary=b (duet git --help)"},
      {{"a", "--binary=b", "--layouts=8"},
       "unknown flag --layouts=8: every run has another code layout now"},
      {{"--bisect=a..b", "--binary=b"},
       "--bisect is gone: `git bisect run` with `duet git GOOD` (tools/README.md, Two revisions)"},
  };
  for (const auto& [arguments, error] : kBad) EXPECT_EQ(Error(arguments), error);
}

TEST(FillIn, QuotesFolders) {
  EXPECT_EQ(FillIn("cmake {source} -B {build} {x}", "/a", "/b c"), "cmake /a -B '/b c' {x}");
}

}  // namespace
}  // namespace duetbench::duet
