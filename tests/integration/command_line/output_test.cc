// Outputs that a user sees: the table, JSON, CSV, files, pipes and terminals.
#include <unistd.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/report/printable.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(ConsoleTest, ShowsHeaderRowsAndVerdict) {
  const Outcome outcome = Execute("suite", {"--benchmark_filter=^BM_(Apples/20|Once)"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<std::string> lines = LinesOf(outcome.out);
  ASSERT_GE(lines.size(), 8u) << outcome.out;
  EXPECT_THAT(lines[0], StartsWith("duetbench: CPU"));
  EXPECT_THAT(lines[1], StartsWith("duetbench: 2 runs, 0.2 s a benchmark, 99 % intervals"));
  EXPECT_THAT(lines[1], ContainsRegex("EQUAL within 1 %$"));
  EXPECT_THAT(lines[2], ContainsRegex("^duetbench: clock .*; --duet_seed=[0-9]+$"));
  EXPECT_THAT(outcome.out, ContainsRegex("\nBM_Apples/20 .* apples=7 sweet, and \"red\"\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("\nBM_Once_vs_BM_FiveTimes/old .* pears=3 the old one\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("\nBM_Once_vs_BM_FiveTimes/new .*bytes_per_second="));
  EXPECT_THAT(
      outcome.out,
      ContainsRegex("\nBM_Once_vs_BM_FiveTimes  +[0-9.]+ x +.[-+0-9.e]+, [-+0-9.einf]+.\n?  "
                    "[A-Z]+: .*2 runs"));
}

TEST(ConsoleTest, EachHeaderLineStandsOnce) {
  const std::string out = Execute("suite", {"--benchmark_filter=BM_OldSteps"}).out;
  EXPECT_EQ(out.find("duetbench: CPU"), out.rfind("duetbench: CPU"));
  EXPECT_EQ(out.find("--duet_seed="), out.rfind("--duet_seed="));
}

TEST(ConsoleTest, AProgramWithoutMatchingDuetsStillRuns) {
  const Outcome outcome = Execute("suite", {"--benchmark_filter=BM_Apples"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("BM_Apples/40"));
}

TEST(ConsoleTest, ALargeDifferenceIsSlower) {
  const Outcome outcome =
      Execute("suite", {"--benchmark_filter=BM_Once", "--duet_runs=8", "--duet_level=0.9",
                        "--benchmark_min_time=0.4", "--benchmark_format=json"});
  const json row = RowOf(JsonOf(outcome.out), "BM_Once_vs_BM_FiveTimes");
  EXPECT_EQ(row["label"], "SLOWER") << row;
  // Five, on CPUs of which one may have half the time of the other.
  EXPECT_GT(row["ratio"], 2);
  EXPECT_LT(row["ratio"], 25);
}

// --- Pipes and terminals ---

TEST(ConsoleTest, APipeGetsNoProgressAndNoColours) {
  const Outcome outcome = Execute("suite", {"--benchmark_filter=BM_Once|BM_Generic"});
  for (const std::string& text : {outcome.out, outcome.err}) {
    EXPECT_THAT(text, Not(HasSubstr("\033")));
    EXPECT_THAT(text, Not(HasSubstr("\r")));
    EXPECT_THAT(text, Not(HasSubstr("run 1 of")));
  }
}

TEST(ConsoleTest, ATerminalGetsBoth) {
  Request request;
  request.program = PathOf("suite");
  request.arguments = {"--benchmark_filter=BM_Once"};
  request.on_terminal = true;
  const Outcome outcome = Execute(request);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("\r\033[Kduet 1 of 1, BM_Once_vs_BM_FiveTimes: run 2 of 2, "));
  EXPECT_THAT(outcome.out, HasSubstr("\033[0;32mBM_Once_vs_BM_FiveTimes"));
  // The progress line is gone before the table goes on.
  const size_t last_progress = outcome.out.rfind(" s left");
  ASSERT_NE(last_progress, std::string::npos);
  EXPECT_EQ(outcome.out.substr(last_progress + 7, 4), "\r\033[K");
}

TEST(ConsoleTest, ColoursAreAsAsked) {
  EXPECT_THAT(Execute("suite", {"--benchmark_filter=BM_Once", "--benchmark_color=true"}).out,
              HasSubstr("\033[0;32m"));
  Request request;
  request.program = PathOf("suite");
  request.arguments = {"--benchmark_filter=BM_Once", "--benchmark_color=false"};
  request.on_terminal = true;
  EXPECT_THAT(Execute(request).out, Not(HasSubstr("\033[0;32m")));
}

// --- JSON ---

TEST(JsonTest, DuetsAndOrdinaryBenchmarksShareAReport) {
  const Outcome outcome = Execute(
      "suite", {"--benchmark_filter=^BM_(Apples/20|Generic|Once)", "--benchmark_format=json"});
  EXPECT_EQ(outcome.status, 0);
  const json report = JsonOf(outcome.out);
  EXPECT_THAT(NamesOf(report),
              ElementsAre("BM_Generic", "BM_Apples/20", "BM_Once_vs_BM_FiveTimes/old",
                          "BM_Once_vs_BM_FiveTimes/new", "BM_Once_vs_BM_FiveTimes"));
  EXPECT_TRUE(report["context"].contains("num_cpus"));
  const json old_row = RowOf(report, "BM_Once_vs_BM_FiveTimes/old");
  EXPECT_EQ(old_row["pears"], 3);
  EXPECT_EQ(old_row["label"], "the old one");
  EXPECT_GT(old_row["real_time"], 0);
  EXPECT_GT(old_row["cpu_time"], 0);
  const json new_row = RowOf(report, "BM_Once_vs_BM_FiveTimes/new");
  EXPECT_GT(new_row["bytes_per_second"], 0);
  EXPECT_FALSE(new_row.contains("pears"));
}

TEST(JsonTest, TheRowOfTheRatioHasFlatNumbers) {
  const json report =
      JsonOf(Execute("suite", {"--benchmark_filter=BM_Once", "--benchmark_format=json"}).out);
  const json row = RowOf(report, "BM_Once_vs_BM_FiveTimes");
  for (const char* key :
       {"ratio", "ratio_lo", "ratio_hi", "ratio_level", "runs", "pairs", "pairs_dropped"}) {
    ASSERT_TRUE(row.contains(key)) << key;
    EXPECT_TRUE(row[key].is_number()) << key;
  }
  EXPECT_EQ(row["runs"], 2);
  EXPECT_EQ(row["ratio_level"], 0.99);
  EXPECT_GT(row["pairs"], 0);
  EXPECT_LE(row["ratio_lo"], row["ratio"]);
  EXPECT_LE(row["ratio"], row["ratio_hi"]);
  EXPECT_THAT(row["label"].get<std::string>(), AnyOf("FASTER", "SLOWER", "EQUAL", "INCONCLUSIVE"));
  EXPECT_FALSE(row.contains("duet_comparison"));
}

TEST(JsonTest, IsAllThatStandsOnStdout) {
  const Outcome outcome =
      Execute("suite", {"--benchmark_filter=BM_Once", "--benchmark_format=json"});
  EXPECT_THAT(outcome.out, StartsWith("{"));
  EXPECT_THAT(outcome.out, EndsWith("}\n"));
}

// --- CSV ---

TEST(CsvTest, RowsWithDifferentCountersAllAppear) {
  const Outcome outcome =
      Execute("suite", {"--benchmark_filter=^BM_(Apples|Generic|Once)", "--benchmark_format=csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<std::string> lines = LinesOf(outcome.out);
  ASSERT_EQ(lines.size(), 1u + 1 + 2 + 3) << outcome.out;
  EXPECT_THAT(lines[0], StartsWith("name,iterations,real_time,cpu_time,time_unit,"));
  EXPECT_THAT(lines[0], HasSubstr("\"ratio\""));
  EXPECT_THAT(lines[1], StartsWith("\"BM_Generic\","));
  EXPECT_THAT(lines[6], StartsWith("\"BM_Once_vs_BM_FiveTimes\","));
}

// --- Files ---

TEST(FileTest, GetsTheReportInEachFormat) {
  const Folder folder;
  for (const char* format : {"json", "csv", "console"}) {
    const std::string path = folder.File(format);
    const Outcome outcome = Execute(
        "suite", {"--benchmark_filter=BM_Once|BM_Generic", absl::StrCat("--benchmark_out=", path),
                  absl::StrCat("--benchmark_out_format=", format)});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("BM_Once_vs_BM_FiveTimes/old"));
    EXPECT_THAT(TextOf(path), HasSubstr("BM_Once_vs_BM_FiveTimes/new"));
  }
  EXPECT_EQ(NamesOf(JsonOf(TextOf(folder.File("json")))).size(), 4u);
  // The library writes its context above it.
  EXPECT_THAT(TextOf(folder.File("csv")),
              ContainsRegex("\nname,iterations,.*\"ratio\".*\n\"BM_Generic"));
  EXPECT_THAT(TextOf(folder.File("csv")), ContainsRegex("\n\"BM_Once_vs_BM_FiveTimes\",[0-9]"));
  EXPECT_THAT(TextOf(folder.File("console")), ContainsRegex("\nBM_Once_vs_BM_FiveTimes .* x "));
}

TEST(FileTest, IsJsonByDefault) {
  const Folder folder;
  Execute("suite", {"--benchmark_filter=BM_Once"}, {{"BENCHMARK_OUT", folder.File("report")}});
  EXPECT_EQ(NamesOf(JsonOf(TextOf(folder.File("report")))).size(), 3u);
}

TEST(FileTest, HasTheSameNumbersAsTheDisplay) {
  const Folder folder;
  const Outcome outcome =
      Execute("suite", {"--benchmark_filter=BM_Once", "--benchmark_format=json",
                        absl::StrCat("--benchmark_out=", folder.File("report"))});
  EXPECT_EQ(RowOf(JsonOf(outcome.out), "BM_Once_vs_BM_FiveTimes"),
            RowOf(JsonOf(TextOf(folder.File("report"))), "BM_Once_vs_BM_FiveTimes"));
}

TEST(FileTest, ThatCannotBeWrittenIsAnError) {
  const Outcome outcome =
      Execute("suite", {"--benchmark_filter=BM_Once", "--benchmark_out=/nonexistent/report"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("/nonexistent/report"));
}

// --- Other forms of the table ---

TEST(ConsoleTest, TabularCountersMixWithDuets) {
  const Outcome outcome = Execute(
      "suite", {"--benchmark_filter=^BM_(Apples|Once)", "--benchmark_counters_tabular=true"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, ContainsRegex("Iterations +apples\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("Iterations +pears\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("\nBM_Once_vs_BM_FiveTimes  +[0-9.]+ x "));
}

TEST(ConsoleTest, TimeUnitAndContextAreTheLibrarys) {
  const Outcome outcome = Execute(
      "suite",
      {"--benchmark_filter=BM_Once", "--benchmark_time_unit=ms", "--benchmark_context=host=here"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, ContainsRegex("BM_FiveTimes/old  +0[.]0[0-9]+ ms "));
  EXPECT_THAT(outcome.err, HasSubstr("host: here"));
}

// Our lines stay within 120 columns, except the last ones, which are for a log or a shell: the
// messages of gates and commands. Rows are as wide as their names and counters.
TEST(OutputTest, LinesFit) {
  const std::regex ours("^(duetbench: |  (?!alone: |.*--benchmark_filter=))");
  for (const char* program : {"suite", "gates", "counters", "mixed"}) {
    const Outcome outcome = Execute(program, {"--benchmark_min_time=0.02", "--duet_max_ratio=1.5"});
    int lines = 0;
    for (const std::string& line : LinesOf(outcome.out)) {
      if (!std::regex_search(line, ours)) continue;
      ++lines;
      EXPECT_LE(Width(line), 120u) << program << ": " << line;
    }
    EXPECT_GT(lines, 5) << program << outcome.err;
  }
}

}  // namespace
}  // namespace duetbench::integration
