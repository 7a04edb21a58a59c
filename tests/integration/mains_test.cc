// Programs with a main of their own, or with the library's.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// --- A main of the user's own ---

TEST(OwnMainTest, SharesTheCommandLine) {
  const Outcome outcome = Execute("own_main", {"--duet_runs=3", "--steps=300"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("before\nduetbench: "));
  EXPECT_THAT(outcome.out, HasSubstr("own/old "));
  EXPECT_THAT(outcome.out, HasSubstr("(3 runs, "));
  EXPECT_THAT(outcome.out, EndsWith("after\n"));
}

TEST(OwnMainTest, SeesItsArgumentsInEveryRun) {
  // With as many steps as old has, both take the same time; with 50 times as many, new is slower.
  const Outcome outcome = Execute("own_main", {"--steps=5000", "--duet_runs=8", "--duet_level=0.9",
                                               "--benchmark_min_time=0.1"});
  EXPECT_THAT(outcome.out, HasSubstr("  SLOWER: new takes "));
}

TEST(OwnMainTest, RefusesWhatNobodyTook) {
  const Outcome outcome = Execute("own_main", {"--stpes=300"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("unknown argument '--stpes=300'"));
}

// --- BENCHMARK_MAIN ---

TEST(PlainMainTest, ReportsOneRowWithTheRatio) {
  const Outcome outcome =
      Execute("plain_main", {"--benchmark_filter=Ordinary|FiveTimes", "--benchmark_format=json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const json report = JsonOf(outcome.out);
  EXPECT_THAT(NamesOf(report), ElementsAre("BM_Ordinary", "BM_Once_vs_BM_FiveTimes"));
  const json row = RowOf(report, "BM_Once_vs_BM_FiveTimes");
  EXPECT_GT(row["ratio"], 0);
  EXPECT_LE(row["ratio_lo"], row["ratio"]);
  EXPECT_EQ(row["runs"], 2);
  EXPECT_GT(row["pairs"], 0);
  EXPECT_THAT(row["label"].get<std::string>(), HasSubstr("2 runs, "));
  EXPECT_FALSE(row.contains("duet_comparison"));
}

TEST(PlainMainTest, MeasuresInProcessesOfItsOwn) {
  const Folder folder;
  const Outcome outcome = Execute("plain_main", {"--benchmark_filter=FiveTimes"},
                                  {{"INTEGRATION_LOG", folder.File("log")}, {"DUET_RUNS", "3"}});
  EXPECT_EQ(outcome.status, 0);
  const std::set<pid_t> processes = NotingProcesses(folder.File("log"));
  EXPECT_EQ(processes.size(), 4u);
  EXPECT_EQ(processes.count(outcome.pid), 0u);
}

TEST(PlainMainTest, HearsTheMeasuringTime) {
  // An iteration takes more than 100 us: five times 50 us.
  const Outcome outcome = Execute(
      "plain_main",
      {"--benchmark_filter=FiveTimes", "--benchmark_format=json", "--benchmark_min_time=0.02"});
  EXPECT_LT(RowOf(JsonOf(outcome.out), "BM_Once_vs_BM_FiveTimes")["pairs"], 200);
}

TEST(PlainMainTest, ErrorsAreRows) {
  const Outcome outcome = Execute("plain_main", {"--benchmark_filter=Skips"});
  EXPECT_THAT(outcome.out,
              HasSubstr("ERROR OCCURRED: 'new reported an error: no data (in run 1)'"));
}

TEST(PlainMainTest, ABadVariableIsAnErrorRow) {
  const Outcome outcome =
      Execute("plain_main", {"--benchmark_filter=FiveTimes"}, {{"DUET_RUNS", "many"}});
  EXPECT_THAT(outcome.out, HasSubstr("ERROR OCCURRED: 'DUET_RUNS: 'many' should be "));
}

TEST(PlainMainTest, ListsItsDuets) {
  EXPECT_THAT(LinesOf(Execute("plain_main", {"--benchmark_list_tests"}).out),
              ElementsAre("BM_Ordinary", "BM_Once_vs_BM_FiveTimes", "BM_Once_vs_BM_Skips"));
}

}  // namespace
}  // namespace duetbench::integration
