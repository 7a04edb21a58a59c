// The chain methods, and what they do.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::UnorderedElementsAreArray;

TEST(ChainTest, EveryInstanceIsListedAndMeasured) {
  std::vector<std::string> expected;
  for (const char* instance : {"Renamed/1",
                               "ArgsProduct/1/3",
                               "ArgsProduct/2/3",
                               "ArgsProduct/1/4",
                               "ArgsProduct/2/4",
                               "ArgNames/n:1/m:2",
                               "ApplyLambda/1/min_time:0.010",
                               "ApplyLambda/2/min_time:0.010",
                               "Unit/1",
                               "MinTime/1/min_time:0.010",
                               "Repetitions/1/repeats:2",
                               "Iterations/1000/iterations:1000",
                               "MinWarmUpTime/1/min_warmup_time:0.010",
                               "UseRealTime/1/real_time",
                               "MeasureProcessCPUTime/1/process_time",
                               "UseManualTime/7/manual_time",
                               "Complexity/8",
                               "Complexity/64",
                               "Setup/1",
                               "Setup/2"}) {
    expected.push_back(absl::StrCat("chain/", instance));
  }
  EXPECT_THAT(
      LinesOf(Execute("chains", {"--benchmark_list_tests", "--benchmark_filter=^chain/"}).out),
      UnorderedElementsAreArray(expected));
  const json report = ReportOf("chains", "^chain/");
  for (const std::string& name : expected) ExpectMeasured(report, name);
  EXPECT_EQ(RowOf(report, "chain/Unit/1")["time_unit"], "us");
}

TEST(ChainTest, OptionsOfTheDuetGoBeforeTheFlags) {
  const json report = ReportOf("chains", "^options/");
  EXPECT_EQ(RowOf(report, "options/Runs/1")["runs"], 3);
  EXPECT_EQ(RowOf(report, "options/Level/1")["ratio_level"], 0.5);
  EXPECT_EQ(RowOf(report, "options/Level/1")["runs"], 2);
  EXPECT_THAT(Execute("chains", {"--benchmark_filter=options/(Margin|Schedule)"}).out,
              Says("options/Schedule/1[...]; interleaved on one CPU)"));
}

// In every run, the one that calibrates included, or it would be an error.
TEST(ChainTest, IterationsAreExecutedExactly) {
  ExpectMeasured(ReportOf("chains", "^one_iteration"), "one_iteration/1/iterations:1");
  const Outcome outcome =
      Execute("chains", {"--benchmark_filter=chain/Iterations", "--duet_runs=1"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
}

TEST(ChainTest, ManualTimesAreTheTimes) {
  const json report = ReportOf("chains", "^chain/UseManualTime");
  EXPECT_NEAR(RowOf(report, "chain/UseManualTime/7/manual_time/old").value("real_time", 0.0), 7000,
              1e-6);
}

// In each process of a run, and only there: Setup, the variants, Teardown; and only
// for the arguments that are measured.
TEST(ChainTest, SetupAndTeardownAreAroundTheVariantsOfEveryRun) {
  const Folder folder;
  const std::string log = folder.File("log");
  const Outcome outcome = Execute("chains", {"--benchmark_filter=chain/Setup/2", kNoPilots},
                                  {{"INTEGRATION_LOG", log}});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto notes = NotesByProcess(log);
  EXPECT_EQ(notes.size(), 3u) << "the first run calibrates";
  for (const auto& [pid, whats] : notes) {
    EXPECT_NE(pid, outcome.pid);
    ASSERT_GE(whats.size(), 4u);
    EXPECT_EQ(whats.front(), "Setup/2");
    EXPECT_EQ(whats.back(), "Teardown/2");
    for (size_t i = 1; i + 1 < whats.size(); ++i) EXPECT_EQ(whats[i], "Variant");
  }
}

// Warming up is a part of each run.
TEST(ChainTest, WarmingUpMeasuresOnce) {
  for (const char* seconds : {"0", "0.01"}) {
    const Folder folder;
    const std::string log = folder.File("log");
    const Outcome outcome = Execute("chains",
                                    {"--benchmark_filter=^warm_up/|options/Setup", kNoPilots,
                                     absl::StrCat("--benchmark_min_warmup_time=", seconds)},
                                    {{"INTEGRATION_LOG", log}});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    // Two benchmarks, in one run that calibrates and two that measure.
    EXPECT_EQ(NotingProcesses(log), 6u) << seconds;
  }
}

TEST(CheckEqualTest, VariantsThatAgreeAreMeasured) {
  const json report = ReportOf("chains", "^equal/");
  for (const char* name :
       {"equal/values", "equal/signs", "equal/counters/1", "equal/not_asked/1"}) {
    ExpectMeasured(report, name);
  }
}

// Both ways of a run: another process, and this one.
#define CHAIN(filter)                   \
  "$chains --benchmark_filter='" filter \
  "' --duet_runs=1 && exit 98; "        \
  "$chains --benchmark_filter='" filter "'"

const Row kChainRows[] = {
    {"threads", CHAIN("impossible/threads"), 2, "a duet has one thread for each variant"},
    {"a Setup that throws", CHAIN("impossible/setup"), 2,
     "Setup threw std::runtime_error: no disk"},
    {"other values", CHAIN("unequal/values"), 2,
     "CheckEqual: old returned {1, 2, 3}, new returned {1, 2, 4}[...]CheckEqual: old returned {1, "
     "2, 3}, new returned {1, 2, 4}"},
    {"other counters", CHAIN("unequal/counters"), 2,
     "CheckEqual: counter sum: old 1, new 2[...]CheckEqual: counter sum: old 1, new 2"},
    {"nothing to compare", CHAIN("unequal/nothing"), 2,
     "CheckEqual: there is nothing to compare[...]CheckEqual: there is nothing to compare"},
    {"a comparison that throws", CHAIN("unequal/throws"), 2,
     "new threw std::runtime_error: no[...]new threw std::runtime_error: no"},
    {"other values after a set-up", CHAIN("unequal/setup"), 2,
     "CheckEqual: old returned 1, new returned 3[...]CheckEqual: old returned 1, new returned 3"},
    {"a benchmark that is left out", "$chains --benchmark_filter=^left_out/1$", 0,
     "SKIPPED: 'new skipped: this machine has no abacus'"},
    {"max_iterations is what was asked for", "$chains --benchmark_filter=max_iterations/known", 0},
    {"or an error", "$chains --benchmark_filter=max_iterations/unknown", 2,
     "max_iterations is known for a benchmark with ->Iterations"},
    {"a fixture that fails", "$forms --benchmark_filter=fails/fixture", 2,
     "SetUp reported an error"},
    // The first iteration in each process takes longer than all of the measuring time.
    {"an expensive first iteration leaves few runs",
     "free $special --benchmark_filter=^Lazy$ --benchmark_min_time=0.2 --duet_profile >out; s=$?; "
     "grep -qE 'only 5 runs: each took [0-9.]+ (s|ms)' out || exit 98; cat out; exit $s",
     0, "(5 runs within "},
};

TEST_ROWS(ChainRows, kChainRows);

}  // namespace
}  // namespace duetbench::integration
