#include "duetbench/report/repeat_command.h"

#include <regex>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

constexpr char kAwkward[] = "f<int, T*>(a|b)[2]{3}.x+y?^$ \"q\" \\d 'é' %d -/25";

TEST(ShellQuoted, OnlyWhereItIsNeeded) {
  EXPECT_EQ(ShellQuoted("--duet_max_ratio=1.05"), "--duet_max_ratio=1.05");
  EXPECT_EQ(ShellQuoted("./a-b_c/d,e:f@g%h"), "./a-b_c/d,e:f@g%h");
  EXPECT_EQ(ShellQuoted(""), "''");
  EXPECT_EQ(ShellQuoted("a b"), "'a b'");
  EXPECT_EQ(ShellQuoted("$HOME"), "'$HOME'");
  EXPECT_EQ(ShellQuoted("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellQuoted("~"), "'~'");
  EXPECT_EQ(ShellQuoted("a\nb"), "'a\nb'");
}

TEST(ExactFilter, MatchesThatNameOnly) {
  EXPECT_EQ(ExactFilter({"BM_A/8"}), "^BM_A/8$");
  EXPECT_EQ(ExactFilter({"f<int>(a|b)"}), "^f<int>\\(a\\|b\\)$");
  EXPECT_EQ(ExactFilter({"f<int(*)[3]>"}), "^f<int\\(\\*\\)\\[3]>$");
  for (const auto syntax : {std::regex::extended, std::regex::ECMAScript}) {
    const std::regex expression(ExactFilter({kAwkward}), syntax);
    EXPECT_TRUE(std::regex_search(kAwkward, expression));
    EXPECT_FALSE(std::regex_search(std::string(kAwkward) + "6", expression));
    EXPECT_FALSE(std::regex_search("x" + std::string(kAwkward), expression));
  }
}

TEST(ExactFilter, OfSeveralNamesMatchesEach) {
  EXPECT_EQ(ExactFilter({"BM_Map/8", "BM_Sort", "BM_Map/64", "BM_Sort/1/2"}),
            "^(BM_Map/8|BM_Sort|BM_Map/64|BM_Sort/1/2)$");
  const std::vector<std::string> names = {"a", "a/", "a/1", "a/10", "b.c/x|y", kAwkward};
  for (const auto syntax : {std::regex::extended, std::regex::ECMAScript}) {
    const std::regex expression(ExactFilter(names), syntax);
    for (const std::string& name : names) EXPECT_TRUE(std::regex_search(name, expression)) << name;
    for (const char* other : {"a/2", "a/11", "a/1/2", "bxc/x|y", "b.c/x", "aa", "x/a", ""}) {
      EXPECT_FALSE(std::regex_search(other, expression)) << other;
    }
  }
}

TEST(ChangedCommand, ReplacesTheFlagsThatItIsGiven) {
  EXPECT_EQ(
      ChangedCommand({"./bench", "--benchmark_min_time=1", "--benchmark_filter=BM", "--", "-x"},
                     {{"BENCHMARK_MIN_TIME", "3"}, {"DUET_LEVEL", "0.95"}},
                     {"--benchmark_filter=^a$", "--benchmark_min_time=20"}),
      "DUET_LEVEL=0.95 ./bench '--benchmark_filter=^a$' --benchmark_min_time=20 -- -x");
}

TEST(RepeatCommand, IsTheSameProgramWithAFilterAndTheSeed) {
  EXPECT_EQ(RepeatCommand(
                {"./bench", "--duet_max_ratio=1.05", "--benchmark_filter=.*", "--duet_junit=x.xml",
                 "--duet_summary=y.md", "--benchmark_out=z", "--duet_seed=1"},
                {}, {"BM_A/8"}, 7),
            "./bench --duet_max_ratio=1.05 '--benchmark_filter=^BM_A/8$' --duet_seed=7");
}

TEST(RepeatCommand, KeepsWhatIsForOtherProgramsAtTheEnd) {
  EXPECT_EQ(RepeatCommand({"duet", "a", "b", "--", "-x"}, {}, {"c"}, 7),
            "duet a b '--benchmark_filter=^c$' --duet_seed=7 -- -x");
}

TEST(RepeatCommand, TakesTheEnvironmentAlong) {
  EXPECT_EQ(RepeatCommand({"my bench"},
                          {{"DUET_MAX_RATIO", "1.05"},
                           {"BENCHMARK_FORMAT", "json"},
                           {"DUET_SEED", "3"},
                           {"BENCHMARK_MIN_TIME", "1 s"}},
                          {"it's"}, 7),
            "DUET_MAX_RATIO=1.05 BENCHMARK_MIN_TIME='1 s' 'my bench' "
            "'--benchmark_filter=^it'\\''s$' --duet_seed=7");
}

}  // namespace
}  // namespace duetbench
