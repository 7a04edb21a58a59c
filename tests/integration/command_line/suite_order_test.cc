// The order of the runs of several duets, as the file of pairs tells it.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;

const char* const kDuets[] = {"BM_OldSteps_vs_BM_NewSteps/20", "BM_OldSteps_vs_BM_NewSteps/30",
                              "BM_OldSteps_vs_BM_NewSteps/200"};

// The beginnings of the runs of a program: names in the order of the file, and the times by run.
struct Beginnings {
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> seconds;
  json report;

  // Moments at which the next run is one of another duet.
  int Changes() const {
    std::vector<std::pair<double, std::string>> all;
    for (const auto& [name, starts] : seconds) {
      for (const double start : starts) all.emplace_back(start, name);
    }
    std::sort(all.begin(), all.end());
    int changes = 0;
    for (size_t i = 1; i < all.size(); ++i) changes += all[i].second != all[i - 1].second ? 1 : 0;
    return changes;
  }
};

Beginnings BeginningsOf(const std::string& file) {
  Beginnings beginnings;
  std::string last;
  for (const std::string& line : LinesOf(TextOf(file))) {
    const std::vector<std::string> cells = absl::StrSplit(line, ',');
    if (cells.front() == "benchmark") continue;
    if (beginnings.names.empty() || beginnings.names.back() != cells[0]) {
      beginnings.names.push_back(cells[0]);
    }
    const std::string run = cells[0] + "#" + cells[1];
    if (run == std::exchange(last, run)) continue;
    beginnings.seconds[cells[0]].push_back(std::atof(cells[16].c_str()));
  }
  return beginnings;
}

Beginnings Measure(std::vector<std::string> arguments) {
  const Folder folder;
  const std::string file = folder.File("pairs.csv");
  arguments.insert(arguments.end(), {"--benchmark_filter=BM_OldSteps", "--duet_out=" + file,
                                     "--benchmark_format=json"});
  const Outcome outcome =
      Execute("suite", arguments, {{"DUET_RUNS", "8"}, {"BENCHMARK_MIN_TIME", "0.2"}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  Beginnings beginnings = BeginningsOf(file);
  beginnings.report = JsonOf(outcome.out);
  return beginnings;
}

std::vector<std::string> RatioRows(const json& report) {
  std::vector<std::string> names;
  for (const json& row : report["benchmarks"]) {
    if (row.contains("ratio_lo") && row["run_type"] == "iteration") names.push_back(row["name"]);
  }
  return names;
}

TEST(SuiteOrderTest, RunsOfAllDuetsAreInterleavedAndReportedInTheirOrder) {
  const Beginnings beginnings = Measure({"--duet_seed=3"});
  EXPECT_THAT(beginnings.names, ElementsAre(kDuets[0], kDuets[1], kDuets[2]))
      << "the pairs of a duet stand together";
  EXPECT_THAT(RatioRows(beginnings.report), ElementsAre(kDuets[0], kDuets[1], kDuets[2]));
  for (const auto& [name, starts] : beginnings.seconds) {
    EXPECT_GE(starts.size(), 5u) << name;
    EXPECT_TRUE(std::is_sorted(starts.begin(), starts.end())) << name;
  }
  // About 24 runs have a random order, and a run of another duet follows two thirds of them; 6 or
  // fewer have a chance below 0.0001.
  EXPECT_GT(beginnings.Changes(), 6);
}

TEST(SuiteOrderTest, CanBeSequential) {
  EXPECT_EQ(Measure({"--duet_order=sequential"}).Changes(), 2);
}

TEST(SuiteOrderTest, AVariantThatFailsLateEndsItsOwnDuetAlone) {
  const Folder folder;
  const Outcome outcome = Execute(
      "failures",
      {"--benchmark_filter=^late/", "--duet_timeout=8", "--benchmark_format=json", "--duet_seed=3"},
      {{"DUET_RUNS", "20"},
       {"BENCHMARK_MIN_TIME", "0.2"},
       {"INTEGRATION_LOG", folder.File("log")}});
  EXPECT_EQ(outcome.status, 2);
  const json report = JsonOf(outcome.out);
  EXPECT_THAT(RatioRows(report), ElementsAre("late/first", "late/last"));
  // Runs on a core that others slowed down may be left out.
  EXPECT_GE(RowOf(report, "late/first")["runs"], 15);
  EXPECT_GE(RowOf(report, "late/last")["runs"], 15);
  EXPECT_THAT(outcome.out, Says("SIGSEGV"));
  EXPECT_THAT(report["duet_suite"]["not_measured"].get<int>(), 2);
}

TEST(SuiteBudgetTest, ADuetIsMeasuredUntilItIsDecided) {
  const Outcome outcome = Execute(Freely(
      "suite", {"--duet_budget=1min", "--benchmark_format=json", "--benchmark_filter=BM_Once"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const json report = JsonOf(outcome.out);
  const json row = RowOf(report, "BM_Once_vs_BM_FiveTimes");
  EXPECT_EQ(row["label"], "SLOWER");
  EXPECT_GE(row["runs"], 5);
  EXPECT_LE(row["runs"], 41) << "a minute is enough for hundreds";
  EXPECT_EQ(report["duet_suite"]["slower"], 1);
}

}  // namespace
}  // namespace duetbench::integration
