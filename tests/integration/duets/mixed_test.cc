// A long suite of ordinary benchmarks and duets.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::SizeIs;

const std::map<std::string, std::string> kShort = {{"BENCHMARK_MIN_TIME", "0.005"}};

TEST(MixedSuiteTest, ReportsOrdinaryBenchmarksAndThenDuetsInTheirOrder) {
  std::vector<std::string> expected;
  for (int i = 0; i < 20; ++i) expected.push_back(absl::StrCat("Ordinary/", i));
  for (int i = 0; i < 20; ++i) {
    for (const char* part : {"/old", "/new", ""}) {
      expected.push_back(absl::StrCat("Duet/", i, part));
    }
  }
  EXPECT_EQ(NamesOf(ReportWith("mixed", {}, kShort)), expected);
}

TEST(MixedSuiteTest, RepeatsOrdinaryOnesAndMeasuresDuetsOnceInAnyOrder) {
  for (const char* interleaving : {"false", "true"}) {
    const json report =
        ReportWith("mixed",
                   {"--benchmark_filter=/1[0-4]$", "--benchmark_repetitions=3",
                    absl::StrCat("--benchmark_enable_random_interleaving=", interleaving)},
                   kShort);
    const std::vector<std::string> names = NamesOf(report);
    for (int i = 10; i < 15; ++i) {
      EXPECT_THAT(names, Contains(absl::StrCat("Ordinary/", i)).Times(3));
      EXPECT_EQ(RowOf(report, absl::StrCat("Duet/", i))["runs"], 2);
    }
    EXPECT_THAT(names, SizeIs(5 * (3 + 4) + 5 * 3));
  }
}

TEST(MixedSuiteTest, EveryFormatHoldsIt) {
  const Folder folder;
  for (const char* display : {"console", "json", "csv"}) {
    for (const char* format : {"console", "json", "csv"}) {
      const std::string file = folder.File(absl::StrCat(display, format));
      const Outcome outcome = Execute(
          "mixed",
          {"--benchmark_filter=/(0|13)$", absl::StrCat("--benchmark_format=", display),
           absl::StrCat("--benchmark_out=", file), absl::StrCat("--benchmark_out_format=", format)},
          kShort);
      EXPECT_EQ(outcome.status, 0) << outcome.err;
      for (const auto& [kind, text] :
           {std::pair<std::string, std::string>(display, outcome.out), {format, TextOf(file)}}) {
        EXPECT_THAT(text, Says("Ordinary/0[...]Duet/0/old[...]Duet/0/new[...]Duet/13")) << kind;
        if (kind != "json") continue;
        EXPECT_THAT(NamesOf(JsonOf(text)), SizeIs(8));
      }
    }
  }
}

// --- Rows made of several: statistics of repetitions, and complexities ---

TEST(AggregatesTest, ADuetHasNone) {
  const json report =
      ReportWith("aggregates", {"--benchmark_filter=^(Counted|Grows)", "--benchmark_repetitions=3",
                                "--benchmark_report_aggregates_only"});
  EXPECT_THAT(NamesOf(report),
              ElementsAre("Counted/old", "Counted/new", "Counted", "Grows/64/old", "Grows/64/new",
                          "Grows/64", "Grows/512/old", "Grows/512/new", "Grows/512"));
}

TEST(AggregatesTest, OrdinaryBenchmarksKeepTheirs) {
  const json report =
      ReportWith("aggregates", {"--benchmark_filter=^Ordinary$", "--benchmark_repetitions=2"});
  EXPECT_THAT(NamesOf(report),
              ElementsAre("Ordinary", "Ordinary", "Ordinary_mean", "Ordinary_median",
                          "Ordinary_stddev", "Ordinary_cv", "Ordinary_largest"));
  EXPECT_THAT(NamesOf(ReportOf("aggregates", "^OrdinaryGrows")), Contains("OrdinaryGrows_BigO"));
}

// --- Errors in the middle ---

TEST(MixedSuiteTest, AnErrorInTheMiddleLosesNothing) {
  const Folder folder;
  std::map<std::string, std::string> environment = kShort;
  environment["INTEGRATION_FAIL"] = "1";
  const Outcome outcome = Execute("mixed",
                                  {"--benchmark_filter=Duet/1[2-4]", "--benchmark_format=json",
                                   absl::StrCat("--duet_out=", folder.File("pairs.csv"))},
                                  environment);
  EXPECT_EQ(outcome.status, 2);
  const json report = JsonOf(outcome.out);
  EXPECT_EQ(RowOf(report, "Duet/13")["error_message"], "new reported an error: no data (in run 1)");
  const std::string pairs = TextOf(folder.File("pairs.csv"));
  for (const char* name : {"Duet/12", "Duet/14"}) EXPECT_EQ(RowOf(report, name)["runs"], 2);
  EXPECT_THAT(pairs, Says("\nDuet/12,1,[...]\nDuet/14,1,"));
  EXPECT_THAT(pairs, Not(Says("\nDuet/13,")));
}

// --- A memory manager that only Google Benchmark knows ---

TEST(MemoryManagerTest, CostsNoExperimentAndIsNotShownForDuets) {
  const Folder folder;
  std::map<std::string, std::string> environment = kShort;
  environment["INTEGRATION_LOG"] = folder.File("log");
  environment["INTEGRATION_MEMORY"] = "1";
  const json report = ReportWith(
      "mixed", {"--benchmark_filter=/7$", "--benchmark_min_warmup_time=0.001", kNoPilots},
      environment);
  EXPECT_TRUE(RowOf(report, "Ordinary/7").contains("allocs_per_iter"));
  for (const char* name : {"Duet/7/old", "Duet/7/new", "Duet/7"}) {
    EXPECT_FALSE(RowOf(report, name).contains("allocs_per_iter"));
  }
  EXPECT_EQ(RowOf(report, "Duet/7")["runs"], 2);
  EXPECT_EQ(NotingProcesses(folder.File("log")), 2u + 1) << "and one that calibrates";
}

}  // namespace
}  // namespace duetbench::integration
