#include "tools/duet/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duetbench::duet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ParseRunCommandLine, TakesCommandsAndFlags) {
  const auto line = ParseRunCommandLine(
      {"--old=sort -n f", "--duet_runs=3", "--new=sort -g f", "--name=sorts", "--any_exit_status"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->commands[0], "sort -n f");
  EXPECT_EQ(line->commands[1], "sort -g f");
  EXPECT_EQ(line->name, "sorts");
  EXPECT_TRUE(line->any_exit_status);
  EXPECT_THAT(line->flags, ElementsAre("--duet_runs=3"));
}

TEST(ParseRunCommandLine, NamesWhatIsMissing) {
  EXPECT_THAT(ParseRunCommandLine({"--old=a"}).status().message(), HasSubstr("no new command"));
  EXPECT_THAT(ParseRunCommandLine({"--new=a", "--old= "}).status().message(),
              HasSubstr("no old command"));
  EXPECT_THAT(ParseRunCommandLine({"a", "b"}).status().message(), HasSubstr("'a' is too much"));
  EXPECT_FALSE(ParseRunCommandLine({"--old=a", "--new=b", "--name="}).ok());
}

TEST(WordsOfCommand, NeedAShellForWhatItInterprets) {
  EXPECT_THAT(WordsOfCommand("sort  -n f"), ElementsAre("sort", "-n", "f"));
  for (const char* command :
       {"exit 3", "a | b", "a 'b'", "a; b", "A=1 a", "a $X", "a *", "a > b", "! a"}) {
    EXPECT_THAT(WordsOfCommand(command), ElementsAre("/bin/sh", "-c", command));
  }
}

}  // namespace
}  // namespace duetbench::duet
