#include "tools/duet_stat/program.h"

#include <map>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "duetbench/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/decide/synthetic_runs.h"
#include "tests/tools/duet_stat/pairs_of.h"
#include "tests/tools/duet_stat/run_duet_stat.h"

namespace duetbench::duet_stat {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

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

struct Refusal {
  std::vector<std::string> arguments;
  std::string text;   // of the file a.csv
  std::string error;  // beginning of what is printed
};

TEST(Program, RefusesWithStatusTwo) {
  const std::vector<Refusal> kRefusals = {
      {{"/no/such/file"}, "", "duet_stat: cannot open /no/such/file: No such file or directory"},
      {{"/"}, "", "duet_stat: cannot read /: it is a folder"},
      {{"a.csv"}, "", "duet_stat: a.csv: the file is empty"},
      {{"a.csv"}, "run,x,y\n0,1\n", "duet_stat: a.csv:2: 2 cells, but the header has 3"},
      {{"--compare", "a.csv", "/no/such"}, "time\n1\n2\n", "duet_stat: cannot open /no/such"},
      {{"--compare", "a.csv", "/dev/null"}, "time\n1\n", "duet_stat: /dev/null: the file is empty"},
      {{"--grid", "a.csv"}, "run,x,y\n0,1,1\n", "duet_stat: a.csv:1: no column 'time'"},
      {{"a.csv", "a.csv"}, "run,x,y\n0,1,1\n", "duet_stat: 'a.csv' and 'a.csv' are the same file"},
  };
  for (const Refusal& refusal : kRefusals) {
    const Outcome outcome = RunDuetStat(refusal.arguments, {{"a.csv", refusal.text}});
    EXPECT_EQ(outcome.status, 2) << refusal.error;
    EXPECT_THAT(outcome.err, StartsWith(refusal.error));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST(Program, ABenchmarkWithoutIntervalIsStatusTwoButPrinted) {
  const std::string text = "benchmark,run,x,y\nA,0,1,1\nB,0,1,1\nB,1,1.1,1\nB,2,1.05,1\n";
  for (const char* format : {"console", "json"}) {
    const Outcome outcome =
        RunDuetStat({"--ci=t", absl::StrCat("--format=", format), "a.csv"}, {{"a.csv", text}});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.out, HasSubstr("at least 2 runs")) << format;
    EXPECT_THAT(outcome.out, HasSubstr("B"));
  }
}

// 6 machines with 6 runs of 10 times; the machines differ by 5 %.
std::string TimesOfMachines(const char* machine, const char* run) {
  std::string text = absl::StrCat("benchmark,", machine, ",", run, ",time\n");
  for (int m = 0; m < 6; ++m) {
    for (int r = 0; r < 6; ++r) {
      for (int i = 0; i < 10; ++i) {
        absl::StrAppend(&text, "BM,m", m, ",", r, ",", 1000 + 50 * m + 3 * (r * 5 % 7) + i * 7 % 10,
                        "\n");
      }
    }
  }
  return text;
}

TEST(Program, TheGridOfInstancesAndTrials) {
  for (const auto& [machine, run] : {std::pair{"machine", "run"}, {"instance", "trial"}}) {
    const std::map<std::string, std::string> files = {{"t", TimesOfMachines(machine, run)}};
    const json out = Json(RunDuetStat({"--grid", "--mds", "--format=json", "t"}, files));
    const json& benchmark = out["benchmarks"][0];
    EXPECT_EQ(benchmark["instances"], 6);
    EXPECT_EQ(benchmark["trials"], 6);
    EXPECT_GT(benchmark["variation"]["total"].get<double>(),
              5 * benchmark["variation"]["instances"]["mean"].get<double>());
    // Instances 1, 2, 3 and trials 1, 2, 3, 5 of different instances; 1, 2, 3, 5 and 1, 2, 3 of the
    // same ones.
    int overlap = 0;
    for (const json& cell : benchmark["cells"]) {
      if (cell["rule"] == "ci-overlap") ++overlap;
      if (cell["rule"] == "ci-overlap" && cell["sampling"] == "instances" &&
          cell["instances"] == 1) {
        EXPECT_EQ(cell["false_alarms"], 100);  // machines that differ are found
        EXPECT_EQ(cell["mds"], "inf");
      }
    }
    EXPECT_EQ(overlap, 3 * 4 + 4 * 3);
  }
  const std::map<std::string, std::string> files = {{"t", TimesOfMachines("machine", "run")}};
  const Outcome console = RunDuetStat({"--grid", "--instances=1", "--trials=1", "t"}, files);
  EXPECT_THAT(console.out, HasSubstr("360 times, 6 instances of at least 6 trials"));
  EXPECT_THAT(console.out, HasSubstr("\n    instances          1       1 "));
}

TEST(Program, TheStandardMethodOfPairsForgetsThePairing) {
  stats::SyntheticRuns model;
  model.new_slower = 0.3;
  const std::map<std::string, std::string> files = {
      {"a.csv", OldPairsCsv("BM", model.Make(1), 0, 10)}};
  const json out =
      Json(RunDuetStat({"--ci=t,difference-of-means", "--format=json", "a.csv"}, files));
  const json& means = out["benchmarks"][0]["difference_of_means"];
  EXPECT_GT(means["lo"].get<double>(), 0.15);
  EXPECT_LT(means["hi"].get<double>(), 0.35);
  EXPECT_THAT(RunDuetStat({"--ci=difference-of-means", "a.csv"}, files).out,
              HasSubstr("    difference of means  +2"));
}

TEST(Program, PartsOfTheDataAsThePaperTookThem) {
  const std::map<std::string, std::string> files = {
      {"a.csv", OldPairsCsv("BM", stats::SyntheticRuns().Make(3), 0, 10)}};  // 100 pairs a run
  const json part = Json(
      RunDuetStat({"--sample_runs=4", "--first_pairs=50", "--skip=0.5", "--format=json", "a.csv"},
                  files))["benchmarks"][0];
  EXPECT_EQ(part["runs"], 4);
  EXPECT_EQ(part["pairs"], 100);
  EXPECT_EQ(part["notices"][0], "a random sample of 4 of the 10 runs");
  const json all = Json(RunDuetStat({"--format=json", "a.csv"}, files))["benchmarks"][0];
  const json other = Json(RunDuetStat({"--sample_runs=4", "--seed=2", "--format=json", "a.csv"},
                                      files))["benchmarks"][0];
  // Runs of the file, in order, and others with another seed.
  std::size_t next = 0;
  for (const json& value : other["run_log_ratios"]) {
    while (next < 10 && all["run_log_ratios"][next] != value) ++next;
    EXPECT_LT(next, 10u);
  }
  const Outcome too_many = RunDuetStat({"--sample_runs=11", "a.csv"}, files);
  EXPECT_EQ(too_many.status, 2);
  EXPECT_THAT(too_many.out, HasSubstr("there are 10 runs"));
}

TEST(Program, TheRuleDuetIsThatOfThePaperWhateverTheInterval) {
  const std::map<std::string, std::string> files = {
      {"a.csv", OldPairsCsv("BM", stats::SyntheticRuns().Make(3), 0, 10)}};
  const auto rule = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--rules=duet", "--format=json", "a.csv"});
    return Json(RunDuetStat(arguments, files))["benchmarks"][0];
  };
  const json paper = rule({"--paper"});
  const json ours = rule({"--ci=t", "--level=0.5"});
  EXPECT_EQ(ours["rules"], paper["rules"]);
  EXPECT_EQ(paper["rules"][0]["effect"], paper["intervals"][0]["ratio"]);
  EXPECT_NE(ours["intervals"][0]["ratio"], paper["intervals"][0]["ratio"]);
}

TEST(Program, PaperKeepsDisturbedPairsAndSaysSo) {
  std::string text = "benchmark,run,old_ns,new_ns,flags\n";
  for (int r = 0; r < 5; ++r) {
    for (int i = 0; i < 10; ++i) {
      absl::StrAppend(&text, "BM,", r, ",100,", i == 0 ? 300 : 100 + i % 3 + r % 2, ",",
                      i == 0 ? 1 : 0, "\n");
    }
  }
  const json ours = Json(RunDuetStat({"--format=json", "a"}, {{"a", text}}))["benchmarks"][0];
  EXPECT_EQ(ours["pairs"], 45);
  EXPECT_EQ(ours["dropped"], 5);
  const json paper =
      Json(RunDuetStat({"--paper", "--winsorize=none", "--format=json", "a"}, {{"a", text}}));
  EXPECT_EQ(paper["benchmarks"][0]["pairs"], 50);
  EXPECT_EQ(paper["benchmarks"][0]["dropped"], 0);
  EXPECT_GT(paper["benchmarks"][0]["intervals"][0]["ratio"].get<double>(), 1.1);
  EXPECT_EQ(
      paper["benchmarks"][0]["notices"][0],
      "5 disturbed pairs were kept, as the paper's procedure does: a thread that took the CPU "
      "of one variant counts as the variant's time");
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
  const World world{OpenInputFile, out, err, false};
  EXPECT_EQ(RunProgram({"--help"}, world), 2);
  EXPECT_EQ(err.str(), "duet_stat: the output could not be written\n");
}

}  // namespace
}  // namespace duetbench::duet_stat
