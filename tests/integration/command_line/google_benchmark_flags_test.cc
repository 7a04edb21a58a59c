// Every flag of Google Benchmark means for duets what it means there, and each is an environment
// variable. Further ones are in selection_test.cc (list_tests, filter), aggregates_test.cc
// (repetitions, the aggregates_only, interleaving), dry_run_test.cc and output_test.cc (color).
#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kFilter[] = "--benchmark_filter=BM_Once";
constexpr char kName[] = "BM_Once_vs_BM_FiveTimes";

struct Flag {
  std::string name;  // "min_time"
  std::string value;
};

// The suite with a flag on the command line, and with its variable.
std::vector<Outcome> BothWays(const Flag& flag, const std::vector<std::string>& arguments) {
  std::string variable = "BENCHMARK_" + flag.name;
  std::transform(variable.begin(), variable.end(), variable.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  std::vector<std::string> with_flag = arguments;
  with_flag.push_back(absl::StrCat("--benchmark_", flag.name, "=", flag.value));
  return {Execute("suite", with_flag), Execute("suite", arguments, {{variable, flag.value}})};
}

TEST(LibraryFlagsTest, Filter) {
  for (const Outcome& outcome : BothWays({"filter", "Apples/40|BM_Once"}, {})) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("BM_Apples/40"));
    EXPECT_THAT(outcome.out, HasSubstr("BM_Once_vs_BM_FiveTimes/new"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("BM_Generic")));
  }
}

TEST(LibraryFlagsTest, ListTests) {
  for (const Outcome& outcome : BothWays({"list_tests", "true"}, {kFilter})) {
    EXPECT_EQ(outcome.out, std::string(kName) + "\n");
  }
}

// An iteration takes more than 100 us, five times 50 us, if nothing disturbed its calibration:
// fewer than 1000, where a second has 4000.
TEST(LibraryFlagsTest, MinTime) {
  for (const char* seconds : {"0.3", "0.3s"}) {
    // The variable of version 1.7.1 is read by Google Benchmark alone, which knows no unit.
    const Outcome outcome = Execute("suite", {kFilter, "--benchmark_format=json",
                                              absl::StrCat("--benchmark_min_time=", seconds)});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const json report = JsonOf(outcome.out);
    EXPECT_EQ(report["context"]["duet_min_time"], "0.3");
    EXPECT_LT(RowOf(report, kName)["pairs"], 2000);
  }
  for (const Outcome& outcome : BothWays({"min_time", "0.3"}, {kFilter})) {
    EXPECT_THAT(outcome.out, HasSubstr("0.3 s a benchmark, "));
  }
}

TEST(LibraryFlagsTest, MinWarmupTime) {
  const Folder folder;
  for (const Outcome& outcome :
       BothWays({"min_warmup_time", "0.03"}, {kFilter, "--benchmark_format=json"})) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const json report = JsonOf(outcome.out);
    EXPECT_EQ(report["context"]["duet_warm_up"], "0.03");
    EXPECT_THAT(NamesOf(report), SizeIs(3)) << "a warm-up is not reported";
    EXPECT_EQ(RowOf(report, kName)["runs"], 2);
  }
  Execute("suite", {kFilter, kNoPilots, "--benchmark_min_warmup_time=0.03"},
          {{"INTEGRATION_LOG", folder.File("log")}});
  EXPECT_THAT(NotingProcesses(folder.File("log")), SizeIs(3)) << "one calibrates, two measure";
}

TEST(LibraryFlagsTest, Repetitions) {
  for (const Outcome& outcome :
       BothWays({"repetitions", "2"}, {kFilter, "--benchmark_format=json"})) {
    EXPECT_THAT(NamesOf(JsonOf(outcome.out)), Contains(kName).Times(1));
  }
}

TEST(LibraryFlagsTest, EnableRandomInterleaving) {
  for (const Outcome& outcome :
       BothWays({"enable_random_interleaving", "true"}, {kFilter, "--benchmark_format=json"})) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(NamesOf(JsonOf(outcome.out)), SizeIs(3));
  }
}

TEST(LibraryFlagsTest, Format) {
  for (const Outcome& outcome : BothWays({"format", "csv"}, {kFilter})) {
    EXPECT_THAT(LinesOf(outcome.out), SizeIs(4));
  }
}

TEST(LibraryFlagsTest, OutAndOutFormat) {
  const Folder folder;
  const std::string path = folder.File("report");
  for (const Outcome& outcome : BothWays({"out", path}, {kFilter})) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(NamesOf(JsonOf(TextOf(path))), SizeIs(3));
  }
  for (const Outcome& outcome :
       BothWays({"out_format", "console"}, {kFilter, "--benchmark_out=" + path})) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(TextOf(path), ContainsRegex("\nBM_Once_vs_BM_FiveTimes .* x "));
  }
}

TEST(LibraryFlagsTest, Color) {
  for (const Outcome& outcome : BothWays({"color", "true"}, {kFilter})) {
    EXPECT_THAT(outcome.out, HasSubstr("\033[0;32mBM_Once_vs_BM_FiveTimes"));
  }
}

TEST(LibraryFlagsTest, CountersTabular) {
  for (const Outcome& outcome : BothWays({"counters_tabular", "true"}, {kFilter})) {
    EXPECT_THAT(outcome.out, ContainsRegex("Iterations +pears\n"));
    EXPECT_THAT(outcome.out, ContainsRegex("Iterations +bytes_per_second\n"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("duet_comparison")));
  }
}

TEST(LibraryFlagsTest, Context) {
  for (const Outcome& outcome :
       BothWays({"context", "host=here"}, {kFilter, "--benchmark_format=json"})) {
    const json context = JsonOf(outcome.out)["context"];
    EXPECT_EQ(context["host"], "here");
    for (const char* key :
         {"duet_cpus", "duet_clock", "duet_schedule", "duet_seed", "duet_version"}) {
      EXPECT_TRUE(context.contains(key)) << key;
    }
  }
}

TEST(LibraryFlagsTest, TheContextOfDuetsStandsInTheTableOnce) {
  const Folder folder;
  const Outcome outcome =
      Execute("suite", {kFilter, "--benchmark_out=" + folder.File("report.json")});
  EXPECT_THAT(outcome.err, Not(HasSubstr("duet_")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("duet_cpus")));
  EXPECT_TRUE(JsonOf(TextOf(folder.File("report.json")))["context"].contains("duet_cpus"));
}

TEST(LibraryFlagsTest, TimeUnit) {
  for (const Outcome& outcome :
       BothWays({"time_unit", "us"}, {kFilter, "--benchmark_format=json"})) {
    const json report = JsonOf(outcome.out);
    for (const json& row : report["benchmarks"]) EXPECT_EQ(row["time_unit"], "us");
    EXPECT_LT(RowOf(report, std::string(kName) + "/old")["real_time"], 100);
  }
}

TEST(LibraryFlagsTest, Verbosity) {
  const Outcome outcome = Execute("suite", {"--benchmark_filter=BM_Once|Apples/20", "--v=3"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(std::string(kName) + "/new"));
  EXPECT_THAT(outcome.err, HasSubstr("-- LOG"));
}

}  // namespace
}  // namespace duetbench::integration
