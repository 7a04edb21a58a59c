#include "tools/duet_stat/program.h"

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/stats/synthetic_runs.h"
#include "tests/tools/duet_stat/pairs_of.h"
#include "tests/tools/duet_stat/run_duet_stat.h"

namespace duetbench::duet_stat {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

json Json(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return json::parse(outcome.out);
}

TEST(Program, MergedFilesAreMoreRuns) {
  const std::vector<stats::RunPairs> runs = stats::SyntheticRuns().Make(3);
  const json whole = Json(
      RunDuetStat({"--format=json", "all.csv"}, {{"all.csv", OldPairsCsv("BM", runs, 0, 10)}}));
  const json merged =
      Json(RunDuetStat({"--format=json", "a.csv", "-"}, {{"a.csv", OldPairsCsv("BM", runs, 0, 4)},
                                                         {"-", OldPairsCsv("BM", runs, 4, 10)}}));
  ASSERT_EQ(merged["benchmarks"].size(), 1u);
  EXPECT_EQ(merged["benchmarks"], whole["benchmarks"]);
  EXPECT_EQ(merged["benchmarks"][0]["runs"], 10);
}

TEST(Program, OtherBenchmarksDoNotChangeAResult) {
  const std::vector<stats::RunPairs> runs = stats::SyntheticRuns().Make(3);
  const std::vector<stats::RunPairs> others = stats::SyntheticRuns().Make(4);
  const std::vector<std::string> arguments = {"--ci=percentile,hier", "--format=json", "-"};
  const json alone = Json(RunDuetStat(arguments, {{"-", OldPairsCsv("BM", runs, 0, 10)}}));
  const json beside = Json(RunDuetStat(
      arguments,
      {{"-", OldPairsCsv("Other", others, 0, 10) + OldPairsCsv("BM", runs, 0, 10, false)}}));
  EXPECT_EQ(beside["benchmarks"][1], alone["benchmarks"][0]);
}

TEST(Program, ConsoleTellsOldAndNewApart) {
  stats::SyntheticRuns model;
  model.new_slower = 0.3;
  const std::map<std::string, std::string> files = {
      {"a.csv", OldPairsCsv("BM_A_vs_BM_B", model.Make(1), 0, 10)}};
  const Outcome outcome = RunDuetStat({"a.csv"}, files);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, HasSubstr("SLOWER: new takes 3"));
  EXPECT_THAT(outcome.out, HasSubstr("    10 runs, 1000 pairs, 0 dropped\n"));
}

TEST(Program, MachinesByFile) {
  std::map<std::string, std::string> files;
  for (const char* machine : {"m1", "m2", "m3"}) {
    stats::SyntheticRuns model;
    model.runs = 3;
    model.pairs = 20;
    model.new_slower = 0.05 * (machine[1] - '0');
    files[machine] = OldPairsCsv("BM", model.Make(1), 0, 3);
  }
  const std::vector<std::string> arguments = {"--ci=hier", "--format=json", "m1", "m2", "m3"};
  std::vector<std::string> by_file = arguments;
  by_file.insert(by_file.begin(), "--machine=file");
  const json one = Json(RunDuetStat(arguments, files))["benchmarks"][0];
  const json three = Json(RunDuetStat(by_file, files))["benchmarks"][0];
  EXPECT_EQ(one["machines"], 1);
  EXPECT_EQ(three["machines"], 3);
  EXPECT_GT(three["intervals"][0]["hi"].get<double>(), one["intervals"][0]["hi"].get<double>());
}

struct Refusal {
  std::vector<std::string> arguments;
  std::string text;   // of the file a.csv
  std::string error;  // beginning of what is printed
};

TEST(Program, RefusesWithStatusTwo) {
  const std::vector<Refusal> kRefusals = {
      {{}, "", "duet_stat: no file is given"},
      {{"--nope", "a.csv"}, "", "duet_stat: unknown option '--nope'"},
      {{"/no/such/file"}, "", "duet_stat: cannot open /no/such/file: No such file or directory"},
      {{"/"}, "", "duet_stat: cannot read /: Is a directory"},
      {{"a.csv"}, "", "duet_stat: a.csv: the file is empty"},
      {{"a.csv"}, "run,x,y\n0,1,0\n", "duet_stat: a.csv:2: y is 0: times are positive"},
      {{"a.csv"}, "run,x,y\n0,1\n", "duet_stat: a.csv:2: 2 cells, but the header has 3"},
      {{"a.csv"}, std::string(1000000, '\0'), "duet_stat: a.csv:1: the line is longer"},
      {{"--memory=1", "a.csv"},
       "run,x,y\n" +
           [] {
             std::string rows;
             for (int i = 0; i < 50000; ++i) rows += "0,1,1\n";
             return rows;
           }(),
       "duet_stat: a.csv:436"},
      {{"--compare=a.csv,/no/such"}, "time\n1\n2\n", "duet_stat: cannot open /no/such"},
      {{"--compare=a.csv,a.csv"}, "run,x,y\n0,1,1\n", "duet_stat: a.csv:1: no column 'time'"},
  };
  for (const Refusal& refusal : kRefusals) {
    const Outcome outcome = RunDuetStat(refusal.arguments, {{"a.csv", refusal.text}});
    EXPECT_EQ(outcome.status, 2) << refusal.error;
    EXPECT_THAT(outcome.err, StartsWith(refusal.error));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST(Program, MemoryLimitNamesTheOption) {
  std::string text = "run,x,y\n";
  for (int i = 0; i < 50000; ++i) text += "0,1,1\n";
  EXPECT_THAT(RunDuetStat({"--memory=1", "a.csv"}, {{"a.csv", text}}).err,
              HasSubstr("raise the limit with --memory=MIB"));
}

TEST(Program, ABenchmarkWithoutIntervalIsStatusTwoButPrinted) {
  const std::string text = "benchmark,run,x,y\nA,0,1,1\nB,0,1,1\nB,1,1.1,1\nB,2,1.05,1\n";
  for (const char* format : {"console", "json", "csv"}) {
    const Outcome outcome =
        RunDuetStat({absl::StrCat("--format=", format), "a.csv"}, {{"a.csv", text}});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.out, HasSubstr("at least 3 pairs")) << format;
    EXPECT_THAT(outcome.out, HasSubstr("B"));
  }
}

TEST(Program, OddDataIsUsedAndSaid) {
  const std::string text = "run,x,y\n0,1,1\n\n1,1.01,1\n2,1.02,1";
  const Outcome console = RunDuetStat({"a.csv"}, {{"a.csv", text}});
  EXPECT_EQ(console.status, 0);
  EXPECT_THAT(console.out, HasSubstr("duet_stat: warning: a.csv: 1 blank line\n"));
  EXPECT_THAT(console.out, HasSubstr("duet_stat: warning: a.csv:5: the file ends inside"));
  EXPECT_THAT(console.out, HasSubstr("note: a.csv:2: run 0 has a single pair, as 3 of the 3 runs"));
  const Outcome csv = RunDuetStat({"--format=csv", "a.csv"}, {{"a.csv", text}});
  EXPECT_THAT(csv.err, HasSubstr("a.csv: 1 blank line"));
  EXPECT_THAT(csv.err, HasSubstr("run 0 has a single pair"));
  const json out = Json(RunDuetStat({"--format=json", "a.csv"}, {{"a.csv", text}}));
  EXPECT_EQ(out["notices"].size(), 2u);
  EXPECT_EQ(out["benchmarks"][0]["notices"].size(), 1u);
}

TEST(Program, ComparesUnpairedTimes) {
  std::string old_times = "run,time\n";
  std::string new_times = "run,time\n";
  for (int i = 0; i < 100; ++i) {
    absl::StrAppend(&old_times, i / 10, ",", 100 + i * 7 % 10, "\n");
    absl::StrAppend(&new_times, i / 10, ",", 120 + i * 7 % 10, "\n");
  }
  const std::map<std::string, std::string> files = {{"o", old_times}, {"n", new_times}};
  const json out = Json(RunDuetStat({"--compare=o,n", "--format=json"}, files));
  ASSERT_EQ(out["benchmarks"][0]["rules"].size(), 4u);
  for (const json& rule : out["benchmarks"][0]["rules"]) EXPECT_EQ(rule["decision"], "slower");
  EXPECT_EQ(out["benchmarks"][0]["old"]["runs"], 10);
  EXPECT_THAT(RunDuetStat({"--compare=o,n"}, files).out, HasSubstr("rule welch       slower"));
  EXPECT_THAT(RunDuetStat({"--compare=o,n", "--format=csv"}, files).out,
              HasSubstr("time,,,,rule,welch,"));
}

TEST(Program, HelpIsNoError) {
  const Outcome outcome = RunDuetStat({"--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("duet_stat: "));
}

TEST(Program, VersionIsPrinted) {
  const Outcome outcome = RunDuetStat({"--version"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "duet_stat " DUETBENCH_VERSION_TEXT "\n");
}

TEST(Program, SaysWhenTheOutputCannotBeWritten) {
  std::ostringstream out;
  std::ostringstream err;
  out.setstate(std::ios::badbit);
  const World world{OpenByteSource, out, err, false};
  EXPECT_EQ(RunProgram({"--help"}, world), 2);
  EXPECT_THAT(err.str(), HasSubstr("could not be written"));
}

}  // namespace
}  // namespace duetbench::duet_stat
