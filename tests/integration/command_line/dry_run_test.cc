// --benchmark_dry_run: everything once, to see that it works.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

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

}  // namespace
}  // namespace duetbench::integration
