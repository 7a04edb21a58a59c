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

TEST(DryRunTest, OrdinaryBenchmarksDoOneIterationAndDuetsOnePair) {
  const Folder folder;
  const Outcome outcome = Execute(
      "suite",
      {"--benchmark_filter=^BM_(Apples|Once)", "--benchmark_dry_run", "--benchmark_repetitions=3",
       "--benchmark_min_warmup_time=1", "--benchmark_format=json"},
      {{"INTEGRATION_LOG", folder.File("log")}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const json report = JsonOf(outcome.out);
  const std::string name = "BM_Once_vs_BM_FiveTimes";
  EXPECT_THAT(NamesOf(report), ::testing::ElementsAre("BM_Apples/20", "BM_Apples/40", name + "/old",
                                                      name + "/new", name));
  for (const json& row : report["benchmarks"]) EXPECT_EQ(row["iterations"], 1) << row;
  EXPECT_EQ(NotingProcesses(folder.File("log")).size(), 1u) << "one run, in a separate process";
  EXPECT_EQ(RowOf(report, name + "/old")["pears"], 3);
  EXPECT_FALSE(RowOf(report, name).contains("ratio"));
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
      EXPECT_EQ(times[absl::StrCat("many/", duet, row)], 1) << duet << row;
    }
  }
}

}  // namespace
}  // namespace duetbench::integration
