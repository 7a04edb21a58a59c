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

json PlainReport(std::vector<std::string> arguments) {
  arguments.emplace_back("--benchmark_format=json");
  const Outcome outcome = Execute("plain_main", arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return JsonOf(outcome.out);
}

// Real time may come out longer on a machine that is busy, and CPU time shorter.
TEST(PlainMainTest, TheTimeIsThatOfNew) {
  const json row = RowOf(PlainReport({"--benchmark_filter=FiveTimes"}), "BM_Once_vs_BM_FiveTimes");
  // 500 steps of three dependent operations.
  EXPECT_GT(row["real_time"], 100);
  EXPECT_LT(row["real_time"], 1e5);
  EXPECT_LE(row["cpu_time"], 1.1 * row["real_time"].get<double>());
  EXPECT_GT(row["iterations"], 1);
}

TEST(PlainMainTest, WhatSleepsShowsNoCpuTime) {
  const json report = PlainReport({"--benchmark_filter=Sleeps"});
  for (const char* name : {"Sleeps", "SleepsReal/real_time"}) {
    const json row = RowOf(report, name);
    EXPECT_GT(row["real_time"], 1.9e6) << row;
    EXPECT_LT(row["real_time"], 1e9) << row;
    EXPECT_LT(row["cpu_time"], 0.5 * row["real_time"].get<double>()) << row;
  }
}

TEST(PlainMainTest, ManualTimeIsShownAsItIs) {
  const json row = RowOf(PlainReport({"--benchmark_filter=Manual"}), "Manual/manual_time");
  EXPECT_NEAR(row["real_time"], 0.25e9, 1e3);
}

TEST(PlainMainTest, RepetitionsAreExperimentsOfTheirOwn) {
  const json report = PlainReport({"--benchmark_filter=FiveTimes", "--benchmark_repetitions=3"});
  std::vector<json> rows;
  double sum = 0;
  for (const json& row : report["benchmarks"]) {
    EXPECT_FALSE(row.contains("ratio_lo")) << "the library would show its mean";
    if (row["run_type"] != "iteration") continue;
    rows.push_back(row);
    sum += row["ratio"].get<double>();
    EXPECT_THAT(row["label"].get<std::string>(), HasSubstr("["));
  }
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["iterations"], rows[2]["iterations"]);
  EXPECT_NE(rows[0]["ratio"], rows[1]["ratio"]);
  EXPECT_NEAR(RowOf(report, "BM_Once_vs_BM_FiveTimes_mean")["ratio"], sum / 3, 1e-6 * sum);
}

TEST(PlainMainTest, AWarmUpIsNoExperiment) {
  const Folder folder;
  Execute("plain_main", {"--benchmark_filter=FiveTimes", "--benchmark_min_warmup_time=0.01"},
          {{"INTEGRATION_LOG", folder.File("log")}});
  EXPECT_EQ(NotingProcesses(folder.File("log")).size(), 3u) << "the first calibrates";
}

TEST(PlainMainTest, ComplexityIsThatOfNew) {
  const json report = PlainReport({"--benchmark_filter=Grows"});
  const json fit = RowOf(report, "Grows_BigO");
  const double largest = RowOf(report, "Grows/4096")["real_time"];
  EXPECT_NEAR(fit["real_coefficient"], largest / 4096, 0.5 * largest / 4096);
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

// Also where BENCHMARK_MAIN restarts the program with a fixed layout (versions from 1.9.5 on).
TEST(PlainMainTest, GivesEachRunALayoutOfItsOwn) {
  if (TextOf("/proc/sys/kernel/randomize_va_space")[0] == '0') GTEST_SKIP() << "switched off";
  const Folder folder;
  const std::string log = folder.File("log");
  ASSERT_EQ(Execute("plain_main", {"--benchmark_filter=Placed"}, {{"INTEGRATION_LOG", log}}).status,
            0);
  std::map<pid_t, std::set<std::string>> places;
  std::set<std::string> all;
  for (const Note& note : NotesOf(log)) {
    places[note.pid].insert(note.what);
    all.insert(note.what);
  }
  EXPECT_EQ(places.size(), 5u);
  for (const auto& [pid, of_process] : places) EXPECT_EQ(of_process.size(), 1u);
  EXPECT_GT(all.size(), 1u);
}

TEST(PlainMainTest, HearsTheMeasuringTime) {
  // As in LibraryFlagsTest.MinTime.
  const Outcome outcome = Execute(
      "plain_main",
      {"--benchmark_filter=FiveTimes", "--benchmark_format=json", "--benchmark_min_time=0.02"});
  EXPECT_LT(RowOf(JsonOf(outcome.out), "BM_Once_vs_BM_FiveTimes")["pairs"], 600);
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
              ElementsAre("BM_Ordinary", "BM_Once_vs_BM_FiveTimes", "BM_Once_vs_BM_Skips", "Sleeps",
                          "SleepsReal/real_time", "Manual/manual_time", "Grows/512", "Grows/4096",
                          "BM_Placed_vs_BM_Placed"));
}

}  // namespace
}  // namespace duetbench::integration
