// Groups of more than two variants in real programs.
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/record/schedule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

Outcome Group(const std::string& filter, std::vector<std::string> arguments = {},
              const std::map<std::string, std::string>& environment = {}) {
  arguments.push_back(absl::StrCat("--benchmark_filter=", filter));
  return Execute("group", arguments, environment);
}

TEST(GroupTest, EachVariantHasARowAgainstTheBase) {
  const json report = ReportWith("group", {"--benchmark_filter=^Base_vs_", "--duet_runs=5"});
  for (const char* argument : {"/8", "/64"}) {
    for (const auto& [name, ratio] : std::map<std::string, double>{
             {"Base_vs_Alike", 1}, {"Base_vs_Slower", 1.8}, {"Base_vs_Faster", 0.5}}) {
      const std::string row = absl::StrCat(name, argument, "/manual_time");
      ExpectMeasured(report, row);
      EXPECT_NEAR(RowOf(report, row).at("ratio").get<double>(), ratio, 0.01) << row;
    }
  }
}

TEST(GroupTest, ASentenceSaysWhichIsTheFastest) {
  const Outcome outcome = Group("^Base_vs_.*/8/", {"--duet_runs=8"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex(
                               "fastest: Faster; (Base|Alike) takes 2 x; (Base|Alike) takes 2 "
                               "x; Slower takes 3.6 x"));
  const json report = ReportWith("group", {"--benchmark_filter=^Base_vs_.*/8/", "--duet_runs=8"});
  const json& groups = report.at("duet_suite").at("groups");
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].at("fastest"), "Faster");
  EXPECT_EQ(groups[0].at("last_duet"), "Base_vs_Faster/8/manual_time");
  EXPECT_EQ(groups[0].at("others").size(), 3u);
  EXPECT_EQ(groups[0].at("others")[2].at("name"), "Slower");
  EXPECT_FALSE(groups[0].at("others")[2].at("ties").get<bool>());
}

TEST(GroupTest, OneProcessExecutesAllVariantsOfARun) {
  const Folder folder;
  const std::string log = folder.File("log");
  const Outcome outcome = Group("^notes/", {"--duet_runs=3", "--duet_schedule=alternating"},
                                {{"INTEGRATION_LOG", log}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto by_process = NotesByProcess(log);
  ASSERT_EQ(by_process.size(), 4u) << "a calibration and three runs";
  for (const auto& [process, variants] : by_process) {
    EXPECT_THAT(variants, UnorderedElementsAre("a", "b", "c"));
  }
}

TEST(GroupTest, TakesShortTurnsWhereThatIsDemanded) {
  const json report = ReportWith(
      "group", {"--benchmark_filter=^notes/", "--duet_runs=4", "--duet_schedule=interleaved"});
  for (const char* row : {"notes/a_vs_b/100", "notes/a_vs_c/100"}) {
    ExpectMeasured(report, row);
    EXPECT_EQ(RowOf(report, row).at("schedule"), static_cast<int>(Schedule::kInterleaved));
  }
}

TEST(GroupTest, APartOfItIsMeasuredAsDuets) {
  const Folder folder;
  const std::string log = folder.File("log");
  const Outcome outcome = Group("^notes/a_vs_b", {"--duet_runs=3"}, {{"INTEGRATION_LOG", log}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const Note& note : NotesOf(log)) EXPECT_NE(note.what, "c");
  EXPECT_THAT(outcome.out, testing::Not(Says("fastest: ")));
}

TEST(GroupTest, ListsAndDryRunsHaveItsDuets) {
  EXPECT_THAT(LinesOf(Group("^(notes|gates)/", {"--benchmark_list_tests"}).out),
              ElementsAre("gates/base_vs_b/manual_time", "gates/base_vs_c/manual_time",
                          "gates/b_vs_c/manual_time", "notes/a_vs_b/100", "notes/a_vs_c/100"));
  EXPECT_EQ(Group("^Base_vs_", {"--benchmark_dry_run"}).status, 0);
  EXPECT_EQ(Group("^Base_vs_", {"--duet_runs=1"}).status, 0);
}

TEST(GroupTest, ABudgetIsSharedByTheComparisons) {
  const Outcome outcome =
      Execute(Freely("group", {"--benchmark_filter=^gates/", "--benchmark_min_time=0.02",
                               "--duet_budget=3s", "--benchmark_format=json"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const json report = JsonOf(outcome.out);
  for (const char* row :
       {"gates/base_vs_b/manual_time", "gates/base_vs_c/manual_time", "gates/b_vs_c/manual_time"}) {
    ExpectMeasured(report, row);
  }
  EXPECT_EQ(report.at("duet_suite").at("groups").size(), 1u);
}

TEST(GroupTest, IsOneLineOfTheListWithTheFilterOfItsDuets) {
  const std::vector<std::string> lines = LinesOf(Group("^(gates|notes)/", {"--duet_list"}).out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], testing::ContainsRegex("^duet [0-9]+ gates/base_vs_b_vs_c/manual_time\t"));
  const std::string filter = lines[0].substr(lines[0].find('\t') + 1);
  EXPECT_EQ(LinesOf(Group(filter, {"--benchmark_list_tests"}).out).size(), 3u);
  EXPECT_THAT(LinesOf(Group("^notes/a_vs_b", {"--duet_list"}).out),
              ElementsAre(testing::ContainsRegex("^duet [0-9]+ notes/a_vs_b/100$")));
}

const Row kGroupRows[] = {
    {"gates hold for every variant and for the fastest",
     "$group --benchmark_filter=^gates/ --duet_runs=8", 0, "duetbench: all 3 gates hold\n"},
    {"gates fail for each, and the whole group repeats it",
     "$group --benchmark_filter=^wrong/ --duet_runs=8", 1,
     "FAIL wrong/base_vs_b/manual_time: [...]=^(wrong/base_vs_b/manual_time|"
     "wrong/base_vs_c/manual_time|[...]FAIL wrong/b_vs_c/manual_time: "},
    // An open duet is decided by the runs that it had.
    {"the command for open duets repeats the group",
     "$group --benchmark_filter=^notes/ --duet_runs=2 --duet_margin=0.00001", 0,
     "to measure the [...]=^(notes/a_vs_b/100|notes/a_vs_c/100)$"},
    {"another value", "$group --benchmark_filter='^unequal/values/a_vs_[bc]'", 2,
     "c and the base: CheckEqual: old returned 1, new returned 3"},
    {"equal values and counters", "$group --benchmark_filter=^equal/", 0, "equal/counters/a_vs_c"},
    {"another counter", "$group --benchmark_filter='^unequal/counters/a_vs_[bc]'", 2,
     "c and the base: CheckEqual: counter sum: old 1, new 3"},
    {"other types", "$group --benchmark_filter='^unequal/types/a_vs_[bc]'", 2,
     "b and the base: CheckEqual: the results cannot be compared: they have different types"},
    {"a variant that fails is named in each row", "$group --benchmark_filter=^broken/", 2,
     "broken/a_vs_b [...]'c reported an error: on purpose[...]broken/a_vs_c [...]'c reported an "
     "error: on purpose"},
};

TEST_ROWS(GroupRows, kGroupRows);

}  // namespace
}  // namespace duetbench::integration
