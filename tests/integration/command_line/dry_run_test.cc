// --benchmark_dry_run: everything once, to see that it works.
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/sanitized.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kOnceVsFiveTimes[] = "BM_Once_vs_BM_FiveTimes";

TEST(DryRunTest, OrdinaryBenchmarksDoOneIterationAndDuetsOnePair) {
  const Folder folder;
  const Outcome outcome = Execute(
      "suite",
      {"--benchmark_filter=^BM_(Apples|Once)", "--benchmark_dry_run", "--benchmark_repetitions=3",
       "--benchmark_min_warmup_time=1", "--benchmark_format=json"},
      {{"INTEGRATION_LOG", folder.File("log")}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const json report = JsonOf(outcome.out);
  EXPECT_THAT(NamesOf(report),
              ElementsAre("BM_Apples/20", "BM_Apples/40", std::string(kOnceVsFiveTimes) + "/old",
                          std::string(kOnceVsFiveTimes) + "/new", kOnceVsFiveTimes));
  for (const json& row : report["benchmarks"]) EXPECT_EQ(row["iterations"], 1) << row;
  EXPECT_EQ(NotingProcesses(folder.File("log")).size(), 1u) << "one run, in a separate process";
  EXPECT_EQ(RowOf(report, std::string(kOnceVsFiveTimes) + "/old")["pears"], 3);
}

TEST(DryRunTest, ClaimsNothing) {
  const json row =
      RowOf(JsonOf(Execute("suite", {"--benchmark_filter=BM_Once", "--benchmark_dry_run=true",
                                     "--benchmark_format=json"})
                       .out),
            kOnceVsFiveTimes);
  EXPECT_EQ(row["label"], "DRY RUN: one iteration of each, no verdict");
  EXPECT_FALSE(row.contains("ratio")) << row;
}

TEST(DryRunTest, SaysSoInTheTable) {
  const Outcome outcome =
      Execute("suite", {"--benchmark_filter=BM_Once"}, {{"BENCHMARK_DRY_RUN", "true"}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("duetbench: dry run: every benchmark once"));
  EXPECT_THAT(outcome.out, ContainsRegex("\nBM_Once_vs_BM_FiveTimes  +DRY RUN: one iteration of "
                                         "each, no verdict\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr(" x ")));
}

TEST(DryRunTest, CanBeSwitchedOff) {
  EXPECT_THAT(Execute("suite", {"--benchmark_filter=BM_Once", "--benchmark_dry_run=false"}).out,
              ContainsRegex("\nBM_Once_vs_BM_FiveTimes  +[0-9.]+ x "));
}

TEST(DryRunTest, FindsVariantsThatFail) {
  for (const char* runs : {"--duet_runs=1", "--duet_runs=2"}) {
    const Outcome outcome =
        Execute("trouble", {"--benchmark_filter=^new/Throw/SetUp$", "--benchmark_dry_run", runs});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.out, HasSubstr("ERROR OCCURRED: 'new threw "));
  }
}

// Each has a separate process.
TEST(DryRunTest, AThousandDuetsAreAllDoneOnce) {
  if (kSanitized) GTEST_SKIP() << "takes minutes under a sanitizer";
  const Outcome outcome = Execute(
      "failures", {"--benchmark_filter=^many/", "--benchmark_dry_run", "--benchmark_format=json"},
      {{"FAILURES_MAIN", "many"}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::map<std::string, int> times;
  for (const std::string& name : NamesOf(JsonOf(outcome.out))) ++times[name];
  EXPECT_EQ(times.size(), 3000u);
  for (int duet = 0; duet < 1000; ++duet) {
    for (const char* row : {"", "/old", "/new"}) {
      const std::string name = absl::StrCat("many/", duet, row);
      EXPECT_EQ(times[name], 1) << name;
    }
  }
}

}  // namespace
}  // namespace duetbench::integration
