#include "tools/duet/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace duetbench::duet {
namespace {

using testing::ElementsAre;

std::vector<std::string> Words(const ProgramCommand& program) {
  std::string executable;
  std::vector<std::string> words = WordsOf(program, &executable);
  words.insert(words.begin(), executable);
  return words;
}

TEST(ParseCommandLine, TakesTwoProgramsFlagsAndArguments) {
  const auto line =
      ParseCommandLine({"a", "--duet_runs=3", "b", "--duet_variant=both", "--", "-x"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(Words(line->programs[0]), ElementsAre("a", "a", "-x"));
  EXPECT_THAT(Words(line->programs[1]), ElementsAre("b", "b", "-x"));
  EXPECT_THAT(line->flags, ElementsAre("--duet_runs=3"));
  EXPECT_EQ(line->variant, ComparedVariant::kBoth);
}

TEST(ParseCommandLine, ACommandIsForTheShell) {
  const auto line = ParseCommandLine({"--new=A=1 ./b -y", "a", "--", "z"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(Words(line->programs[0]), ElementsAre("a", "a", "z"));
  EXPECT_THAT(Words(line->programs[1]),
              ElementsAre("/bin/sh", "sh", "-c", "exec env A=1 ./b -y \"$@\"", "duet", "z"));
}

TEST(ParseCommandLine, TakesUpToEightBuilds) {
  const auto line = ParseCommandLine({"a", "b", "c", "--", "-x"});
  ASSERT_TRUE(line.ok()) << line.status();
  ASSERT_EQ(line->programs.size(), 3u);
  EXPECT_THAT(Words(line->programs[2]), ElementsAre("c", "c", "-x"));
  EXPECT_TRUE(ParseCommandLine(std::vector<std::string>(8, "a")).ok());
}

std::vector<std::string> Names(const std::vector<std::string>& paths) {
  std::vector<ProgramCommand> programs;
  for (const std::string& path : paths) programs.push_back({path, false, {}});
  return NamesOf(programs);
}

TEST(NamesOf, AreThePartsOfThePathsThatDiffer) {
  EXPECT_THAT(Names({"a/x", "b/x"}), ElementsAre("old", "new"));
  EXPECT_THAT(Names({"./base", "b", "/c"}), ElementsAre("base", "b", "c"));
  EXPECT_THAT(Names({"a/out/x", "b/out/x", "c/out/x"}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Names({"a/x", "a/y", "b/x"}), ElementsAre("x#1", "y#2", "x#3"));
  EXPECT_THAT(Names({"x", "x", "x"}), ElementsAre("x#1", "x#2", "x#3"));
}

TEST(FilesOf, AreThePathAndTheProgramsOfACommand) {
  EXPECT_THAT(FilesOf({"./b", false, {}}), ElementsAre("./b"));
  EXPECT_THAT(FilesOf({"A=1 taskset -c 1 '/bin/sh' /etc/passwd >/dev/null", true, {}}),
              ElementsAre("/bin/sh"));
}

TEST(ParseCommandLine, WhatIsMissingOrTooMuchIsAnError) {
  const std::pair<std::vector<std::string>, std::string> kBad[] = {
      {{}, "there is no OLD program: duet OLD NEW [FLAG...] [-- ARGUMENT...]"},
      {{"a"}, "there is no NEW program: duet OLD NEW [FLAG...] [-- ARGUMENT...]"},
      {{"a", "b", "--old=c"},
       "'b' is too much: with --old and --new two programs are compared; their arguments follow "
       "`--`"},
      {std::vector<std::string>(9, "a"),
       "9 programs are too many: up to 8 are compared; their arguments follow `--`"},
      {{"a", "--new="}, "the NEW program (--new) is empty: it should be a file or a command"},
      {{"a", "b", "--duet_variant=x"}, "--duet_variant=x: should be old, new or both"},
  };
  for (const auto& [arguments, error] : kBad) {
    EXPECT_EQ(ParseCommandLine(arguments).status().message(), error);
  }
}

}  // namespace
}  // namespace duetbench::duet
