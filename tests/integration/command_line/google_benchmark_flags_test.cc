// Every flag of Google Benchmark means for duets what it means there, and each is an environment
// variable. Further ones are in mixed_test.cc (repetitions, interleaving) and command_line_test.cc
// (list_tests, filter, dry_run).
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kFilter[] = "--benchmark_filter=BM_Once";
constexpr char kName[] = "BM_Once_vs_BM_FiveTimes";

// The suite with a flag of Google Benchmark on the command line, and with its variable.
std::vector<Outcome> BothWays(const std::string& name, const std::string& value,
                              const std::vector<std::string>& arguments) {
  std::vector<std::string> with_flag = arguments;
  with_flag.push_back(absl::StrCat("--benchmark_", name, "=", value));
  const std::string variable = absl::StrCat("BENCHMARK_", absl::AsciiStrToUpper(name));
  return {Execute("suite", with_flag), Execute("suite", arguments, {{variable, value}})};
}

TEST(LibraryFlagsTest, MeanForDuetsWhatTheyMeanForOthers) {
  const struct {
    const char* name;
    const char* value;
    const char* argument;  // beside it
    const char* said;      // on stdout and then stderr
    const char* unsaid = "?";
  } flags[] = {
      {"filter", "Apples/40|BM_Once", "--duet_runs=2",
       "BM_Apples/40[...]BM_Once_vs_BM_FiveTimes/new", "BM_Generic"},
      {"list_tests", "true", kFilter, "BM_Once_vs_BM_FiveTimes\n", "/old"},
      {"min_time", "0.3", kFilter, "0.3 s a benchmark, "},
      {"format", "csv", kFilter, "name,iterations[...]\"BM_Once_vs_BM_FiveTimes\"", "----"},
      {"color", "true", kFilter, "\033[0;32mBM_Once_vs_BM_FiveTimes"},
      {"counters_tabular", "true", "--benchmark_filter=^BM_(Apples|Once)",
       "Iterations     apples\n[...]Iterations      pears\n[...]Iterations bytes_per_second\n[...]"
       "\nBM_Once_vs_BM_FiveTimes  [...] x ",
       "duet_comparison"},
      {"context", "host=here", kFilter, "host: here\n"},
      {"time_unit", "ms", kFilter, "BM_FiveTimes/old [...] 0.0[...] ms "},
  };
  for (const auto& flag : flags) {
    for (const Outcome& outcome : BothWays(flag.name, flag.value, {flag.argument})) {
      EXPECT_EQ(outcome.status, 0) << outcome.err;
      EXPECT_THAT(outcome.out + outcome.err, Says(flag.said));
      EXPECT_THAT(outcome.out, Not(Says(flag.unsaid)));
    }
  }
}

TEST(LibraryFlagsTest, MinWarmupTime) {
  const Folder folder;
  for (const Outcome& outcome :
       BothWays("min_warmup_time", "0.03", {kFilter, "--benchmark_format=json"})) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const json report = JsonOf(outcome.out);
    EXPECT_EQ(report["context"]["duet_warm_up"], "0.03");
    EXPECT_THAT(NamesOf(report), SizeIs(3)) << "a warm-up is not reported";
    EXPECT_EQ(RowOf(report, kName)["runs"], 2);
  }
  Execute("suite", {kFilter, kNoPilots, "--benchmark_min_warmup_time=0.03"},
          {{"INTEGRATION_LOG", folder.File("log")}});
  EXPECT_EQ(NotingProcesses(folder.File("log")), 3u) << "one calibrates, two measure";
}

TEST(LibraryFlagsTest, OutAndOutFormat) {
  const Folder folder;
  const std::string path = folder.File("report");
  for (const Outcome& outcome : BothWays("out", path, {kFilter})) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(NamesOf(JsonOf(TextOf(path))), SizeIs(3));
  }
  for (const Outcome& outcome :
       BothWays("out_format", "console", {kFilter, "--benchmark_out=" + path})) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(TextOf(path), Says("\nBM_Once_vs_BM_FiveTimes [...] x "));
  }
}

TEST(LibraryFlagsTest, TheContextOfDuetsIsInTheJsonAndNotAboveTheTable) {
  const Folder folder;
  const Outcome outcome =
      Execute("suite", {kFilter, "--benchmark_out=" + folder.File("report.json")});
  EXPECT_THAT(outcome.err, Not(Says("duet_")));
  EXPECT_THAT(outcome.out, Not(Says("duet_cpus")));
  const json context = JsonOf(TextOf(folder.File("report.json")))["context"];
  for (const char* key :
       {"duet_cpus", "duet_clock", "duet_schedule", "duet_seed", "duet_version"}) {
    EXPECT_TRUE(context.contains(key)) << key;
  }
}

}  // namespace
}  // namespace duetbench::integration
