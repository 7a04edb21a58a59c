// Programs with their own main, or with Google Benchmark's.
#include <map>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// --- A main of the user's own ---

TEST(OwnMainTest, SharesTheCommandLine) {
  const Outcome outcome = Execute("own_main", {"--duet_runs=3", "--steps=300"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("before\nduetbench: "));
  EXPECT_THAT(outcome.out, HasSubstr("own/old "));
  EXPECT_THAT(outcome.out, HasSubstr("duetbench: 3 runs, "));
  EXPECT_THAT(outcome.out, EndsWith("after\n"));
}

TEST(OwnMainTest, SeesItsArgumentsInEveryRun) {
  // With as many steps as old has, both take the same time; with 50 times as many, new is slower.
  const Outcome outcome = Execute("own_main", {"--steps=5000", "--duet_runs=8", "--duet_level=0.9",
                                               "--benchmark_min_time=0.1"});
  EXPECT_THAT(outcome.out, HasSubstr("  SLOWER: new takes "));
}

TEST(OwnMainTest, HasAReporterOfItsOwn) {
  const Outcome outcome = Execute("own_main", {"--duet_runs=3", "--own_reporter"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("row own/old has a time\nrow own/new has a time\n"
                                     "row own has a time\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("own/old  ")));
}

TEST(OwnMainTest, RefusesWhatNobodyTook) {
  const Outcome outcome = Execute("own_main", {"--stpes=300"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("unknown argument '--stpes=300'"));
}

// The layout of a process is random, also if the main fixed it for the sake of ordinary benchmarks.
TEST(OwnMainTest, EachRunHasALayoutOfItsOwn) {
  if (TextOf("/proc/sys/kernel/randomize_va_space")[0] == '0') GTEST_SKIP() << "switched off";
  const Folder folder;
  const std::string log = folder.File("log");
  ASSERT_EQ(Execute("own_main", {"--duet_runs=4", kNoPilots}, {{"INTEGRATION_LOG", log}}).status,
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

// --- BENCHMARK_MAIN, which measures no duets ---

TEST(PlainMainTest, DuetsAreErrorsThatNameTheMainToLink) {
  const Outcome outcome = Execute("plain_main", {"--benchmark_format=json"});
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("duetbench: BM_Once_vs_BM_FiveTimes was not measured: "));
  const json report = JsonOf(outcome.out);
  EXPECT_THAT(NamesOf(report),
              ElementsAre("BM_Ordinary", "BM_Ordinary/threads:2", "BM_Once_vs_BM_FiveTimes"));
  const json row = RowOf(report, "BM_Once_vs_BM_FiveTimes");
  EXPECT_EQ(row["error_occurred"], true);
  EXPECT_THAT(row["error_message"].get<std::string>(), HasSubstr("DUET_MAIN()"));
}

TEST(PlainMainTest, OrdinaryBenchmarksAloneAreNoError) {
  EXPECT_EQ(Execute("plain_main", {"--benchmark_filter=Ordinary"}).status, 0);
}

TEST(PlainMainTest, TheToolComparesTwoSuchPrograms) {
  const Outcome outcome =
      Execute("duet", {PathOf("plain_main"), PathOf("plain_main"), "--benchmark_format=json",
                       "--benchmark_min_time=0.2", "--duet_runs=3"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const json report = JsonOf(outcome.out);
  for (const char* name : {"BM_Ordinary", "BM_Ordinary/threads:2", "BM_Once_vs_BM_FiveTimes"}) {
    EXPECT_GT(RowOf(report, name).value("ratio", 0.0), 0) << report.dump(1);
  }
}

TEST(PlainMainTest, ListsItsDuets) {
  EXPECT_THAT(LinesOf(Execute("plain_main", {"--benchmark_list_tests"}).out),
              ElementsAre("BM_Ordinary", "BM_Ordinary/threads:2", "BM_Once_vs_BM_FiveTimes"));
}

}  // namespace
}  // namespace duetbench::integration
