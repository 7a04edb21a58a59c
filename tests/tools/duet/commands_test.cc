#include "tools/duet/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace duetbench::duet {
namespace {

using testing::ElementsAre;

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
  const std::string usage = ": duet run --old='COMMAND' --new='COMMAND'";
  const std::pair<std::vector<std::string>, std::string> kBad[] = {
      {{"--old=a"}, "there is no new command" + usage},
      {{"--new=a", "--old= "}, "there is no old command" + usage},
      {{"a", "b"}, "'a' is too much" + usage},
      {{"--old=a", "--new=b", "--name="}, "--name= is empty"},
  };
  for (const auto& [arguments, error] : kBad) {
    EXPECT_EQ(ParseRunCommandLine(arguments).status().message(), error);
  }
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
