// Filters, lists and names: duets among ordinary benchmarks.
#include <map>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;

constexpr char kAwkward[] = "f<int, T*>(a|b)[2]{3}.x+y?^$ \"q\" \\d 'é' %d -/25";

std::vector<std::string> NamesWith(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = arguments;
  all.push_back("--benchmark_format=json");
  const Outcome outcome = Execute("suite", all);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return NamesOf(JsonOf(outcome.out));
}

TEST(SelectionTest, ListsEverythingAndMeasuresNothing) {
  const Outcome outcome = Execute("suite", {"--benchmark_list_tests"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(LinesOf(outcome.out),
              ElementsAre("BM_Generic", "BM_Apples/20", "BM_Apples/40", "BM_Older/30",
                          "BM_Once_vs_BM_FiveTimes", "BM_OldSteps_vs_BM_NewSteps/20",
                          "BM_OldSteps_vs_BM_NewSteps/30", "BM_OldSteps_vs_BM_NewSteps/200",
                          "BM_Old/25", kAwkward));
}

TEST(SelectionTest, TheListIsFilteredToo) {
  EXPECT_THAT(LinesOf(Execute("suite", {"--benchmark_list_tests=true",
                                        "--benchmark_filter=_vs_BM_NewSteps/[23]0$"})
                          .out),
              ElementsAre("BM_OldSteps_vs_BM_NewSteps/20", "BM_OldSteps_vs_BM_NewSteps/30"));
  EXPECT_THAT(LinesOf(Execute("suite", {}, {{"BENCHMARK_LIST_TESTS", "1"}}).out),
              Contains("BM_Once_vs_BM_FiveTimes"));
}

// The names that --duet_list shows, without what stands before them.
std::vector<std::string> ListedDuets(const Outcome& outcome) {
  std::vector<std::string> names;
  for (const std::string& line : LinesOf(outcome.out)) {
    const std::vector<std::string> parts = absl::StrSplit(line, absl::MaxSplits(' ', 2));
    int seconds = 0;
    EXPECT_TRUE(parts.size() == 3 && parts[0] == "duet" && absl::SimpleAtoi(parts[1], &seconds))
        << line;
    EXPECT_GT(seconds, 60);
    names.push_back(parts.back());
  }
  return names;
}

TEST(SelectionTest, DuetsAreListedWithoutOrdinaryBenchmarks) {
  const Outcome outcome = Execute("suite", {"--duet_list"}, {{"BENCHMARK_FORMAT", "json"}});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(ListedDuets(outcome),
              ElementsAre("BM_Once_vs_BM_FiveTimes", "BM_OldSteps_vs_BM_NewSteps/20",
                          "BM_OldSteps_vs_BM_NewSteps/30", "BM_OldSteps_vs_BM_NewSteps/200",
                          "BM_Old/25", kAwkward));
}

TEST(SelectionTest, TheListOfDuetsIsFilteredByTheirNames) {
  EXPECT_THAT(ListedDuets(Execute("suite", {"--duet_list", "--benchmark_filter=^BM_Old"})),
              ElementsAre("BM_OldSteps_vs_BM_NewSteps/20", "BM_OldSteps_vs_BM_NewSteps/30",
                          "BM_OldSteps_vs_BM_NewSteps/200", "BM_Old/25"));
}

TEST(SelectionTest, AFilterSelectsAmongArguments) {
  EXPECT_THAT(NamesWith({"--benchmark_filter=NewSteps/20$"}),
              ElementsAre("BM_OldSteps_vs_BM_NewSteps/20/old", "BM_OldSteps_vs_BM_NewSteps/20/new",
                          "BM_OldSteps_vs_BM_NewSteps/20"));
}

TEST(SelectionTest, ANegativeFilterSelectsTheRest) {
  EXPECT_THAT(NamesWith({"--benchmark_filter=-BM_O|f<"}),
              ElementsAre("BM_Generic", "BM_Apples/20", "BM_Apples/40"));
  EXPECT_THAT(NamesWith({"--benchmark_filter=-Apples|Generic|Steps|BM_Old|f<"}),
              ElementsAre("BM_Once_vs_BM_FiveTimes/old", "BM_Once_vs_BM_FiveTimes/new",
                          "BM_Once_vs_BM_FiveTimes"));
}

TEST(SelectionTest, ANameMayBeginAnotherOne) {
  EXPECT_THAT(NamesWith({"--benchmark_filter=^BM_Old"}),
              ElementsAre("BM_Older/30", "BM_OldSteps_vs_BM_NewSteps/20/old",
                          "BM_OldSteps_vs_BM_NewSteps/20/new", "BM_OldSteps_vs_BM_NewSteps/20",
                          "BM_OldSteps_vs_BM_NewSteps/30/old", "BM_OldSteps_vs_BM_NewSteps/30/new",
                          "BM_OldSteps_vs_BM_NewSteps/30", "BM_OldSteps_vs_BM_NewSteps/200/old",
                          "BM_OldSteps_vs_BM_NewSteps/200/new", "BM_OldSteps_vs_BM_NewSteps/200",
                          "BM_Old/25/old", "BM_Old/25/new", "BM_Old/25"));
}

TEST(SelectionTest, ANameMayHaveEveryCharacter) {
  const std::string name = kAwkward;
  EXPECT_THAT(NamesWith({"--benchmark_filter=^f<"}),
              ElementsAre(name + "/old", name + "/new", name));
}

TEST(SelectionTest, RepetitionsOfADuetAreMoreTime) {
  const auto seconds = [](const char* repetitions) {
    const json row =
        RowOf(JsonOf(Execute("suite", {"--benchmark_filter=BM_Once", "--benchmark_min_time=0.2",
                                       repetitions, "--benchmark_format=json"})
                         .out),
              "BM_Once_vs_BM_FiveTimes");
    EXPECT_EQ(row["repetitions"], 1);
    return row["wall_seconds"].get<double>();
  };
  EXPECT_GT(seconds("--benchmark_repetitions=5"), 1.2 * seconds("--benchmark_repetitions=1"));
}

}  // namespace
}  // namespace duetbench::integration
