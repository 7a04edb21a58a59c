// Repetitions, their statistics, and complexities.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

json Report(std::vector<std::string> arguments) {
  arguments.emplace_back("--benchmark_format=json");
  const Outcome outcome = Execute("aggregates", arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return JsonOf(outcome.out);
}

std::vector<double> ValuesOf(const json& report, const std::string& name, const std::string& key) {
  std::vector<double> values;
  for (const json& row : report["benchmarks"]) {
    if (row["name"] == name && row["run_type"] == "iteration") values.push_back(row[key]);
  }
  return values;
}

TEST(AggregatesTest, EachStatisticIsOfOldOfNewAndOfTheRatio) {
  const json report = Report({"--benchmark_filter=^Counted", "--benchmark_repetitions=3",
                              "--benchmark_report_aggregates_only"});
  EXPECT_THAT(NamesOf(report),
              ElementsAre("Counted/old_mean", "Counted/new_mean", "Counted_mean",
                          "Counted/old_median", "Counted/new_median", "Counted_median",
                          "Counted/old_stddev", "Counted/new_stddev", "Counted_stddev",
                          "Counted/old_cv", "Counted/new_cv", "Counted_cv", "Counted/old_largest",
                          "Counted/new_largest", "Counted_largest", "Counted_pooled"));
  EXPECT_EQ(RowOf(report, "Counted/new_mean")["label"], "counted");
}

TEST(AggregatesTest, AreTheStatisticsOfTheRowsAboveThem) {
  const json report = Report({"--benchmark_filter=^Counted", "--benchmark_repetitions=3"});
  for (const char* side : {"Counted/old", "Counted/new", "Counted"}) {
    const bool is_ratio = std::string(side) == "Counted";
    for (const char* key : {"real_time", "cpu_time", is_ratio ? "ratio" : "items_per_second"}) {
      const std::vector<double> values = ValuesOf(report, side, key);
      ASSERT_EQ(values.size(), 3u);
      double sum = 0;
      double largest = 0;
      for (const double value : values) {
        sum += value;
        largest = std::max(largest, value);
      }
      const json mean = RowOf(report, absl::StrCat(side, "_mean"));
      EXPECT_NEAR(mean[key], sum / 3, 1e-6 * sum) << side << " " << key;
      EXPECT_NEAR(RowOf(report, absl::StrCat(side, "_largest"))[key], largest, 1e-6 * largest);
      EXPECT_EQ(mean["iterations"], 3);
      EXPECT_EQ(mean["repetitions"], 3);
      EXPECT_EQ(mean["run_type"], "aggregate");
      const json deviation = RowOf(report, absl::StrCat(side, "_cv"));
      EXPECT_EQ(deviation["aggregate_unit"], "percentage");
      EXPECT_LT(deviation[key], 1.8)
          << "a fraction, as in Google Benchmark: of three, at most sqrt(3)";
    }
  }
}

// Statistics of the ends of intervals would be read as intervals.
TEST(AggregatesTest, TheEndsOfIntervalsHaveNone) {
  const json report = Report({"--benchmark_filter=^Counted", "--benchmark_repetitions=2"});
  for (const char* statistic : {"mean", "median", "stddev", "cv", "largest"}) {
    const json row = RowOf(report, absl::StrCat("Counted_", statistic));
    for (const char* key : {"ratio_lo", "ratio_hi", "ratio_level", "runs", "pairs", "label"}) {
      EXPECT_FALSE(row.contains(key)) << row;
    }
  }
}

TEST(AggregatesTest, ThePooledRowHasTheRunsOfAllRepetitions) {
  const json report = Report({"--benchmark_filter=^Counted", "--benchmark_repetitions=3"});
  const json pooled = RowOf(report, "Counted_pooled");
  EXPECT_EQ(pooled["runs"], 6);
  double pairs = 0;
  for (const double value : ValuesOf(report, "Counted", "pairs")) pairs += value;
  EXPECT_EQ(pooled["pairs"], pairs);
  EXPECT_LE(pooled["ratio_lo"], pooled["ratio"]);
  EXPECT_LE(pooled["ratio"], pooled["ratio_hi"]);
  EXPECT_EQ(pooled["aggregate_name"], "pooled");
  EXPECT_TRUE(pooled.contains("label"));
}

TEST(AggregatesTest, OrdinaryBenchmarksKeepTheirs) {
  const json report = Report({"--benchmark_filter=^Ordinary$", "--benchmark_repetitions=2"});
  EXPECT_THAT(NamesOf(report),
              ElementsAre("Ordinary", "Ordinary", "Ordinary_mean", "Ordinary_median",
                          "Ordinary_stddev", "Ordinary_cv", "Ordinary_largest"));
}

TEST(AggregatesTest, TheDisplayMayHaveAggregatesOnly) {
  const Folder folder;
  const Outcome outcome =
      Execute("aggregates", {"--benchmark_filter=^Counted", "--benchmark_repetitions=2",
                             "--benchmark_display_aggregates_only",
                             absl::StrCat("--benchmark_out=", folder.File("all"))});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("\nCounted/old ")));
  EXPECT_THAT(outcome.out, ContainsRegex("\nCounted_mean  +[0-9.]+ x  +2\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("\nCounted_cv  +[0-9.]+ %  +2\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("\nCounted_pooled  +[0-9.]+ x [^(]*\\(4 runs"));
  const std::vector<std::string> names = NamesOf(JsonOf(TextOf(folder.File("all"))));
  EXPECT_THAT(names, Contains("Counted/old").Times(2));
  EXPECT_THAT(names, Contains("Counted_pooled").Times(1));
}

// --- Complexity ---

TEST(ComplexityTest, IsFittedForEachVariant) {
  const json report = Report({"--benchmark_filter=^Grows", "--benchmark_min_time=0.1"});
  const std::vector<std::string> names = NamesOf(report);
  ASSERT_EQ(names.size(), 4u * 3 + 4);
  EXPECT_EQ(names[12], "Grows/manual_time/old_BigO");
  EXPECT_EQ(RowOf(report, "Grows/manual_time/old_BigO")["big_o"], "(1)");
  const json fit = RowOf(report, "Grows/manual_time/new_BigO");
  EXPECT_EQ(fit["big_o"], "N");
  EXPECT_NEAR(fit["real_coefficient"], 1, 1e-6);
  // JSON has the RMS of CPU time, the table that of both.
  EXPECT_THAT(
      Execute("aggregates", {"--benchmark_filter=^Grows"}).out,
      ContainsRegex("\nGrows/manual_time/old_RMS  +0 % .*\nGrows/manual_time/new_RMS  +0 % "));
}

TEST(ComplexityTest, IsInTheTableAndInCsv) {
  const std::vector<std::string> arguments = {"--benchmark_filter=^Lambda"};
  EXPECT_THAT(Execute("aggregates", arguments).out,
              ContainsRegex("\nLambda/old_BigO  +[0-9.]+ f\\(N\\) .*\nLambda/new_BigO  +[0-9.]+ "
                            "f\\(N\\) .*\nLambda/old_RMS  +[0-9]+ % .*\nLambda/new_RMS "));
  const Outcome csv = Execute("aggregates", {arguments[0], "--benchmark_format=csv"});
  EXPECT_THAT(csv.out, ContainsRegex("\n\"Lambda/old_BigO\",,[0-9.]+,[0-9.]+,f\\(N\\),"));
}

TEST(ComplexityTest, OrdinaryBenchmarksKeepTheirs) {
  const json report = Report({"--benchmark_filter=Grows", "--benchmark_min_time=0.01"});
  const std::vector<std::string> names = NamesOf(report);
  EXPECT_THAT(names, Contains("OrdinaryGrows_BigO"));
  EXPECT_THAT(names, Contains("Grows/manual_time/old_BigO"));
  EXPECT_EQ(RowOf(report, "OrdinaryGrows_BigO")["big_o"], "N") << "as it was told";
}

TEST(ComplexityTest, GoesOverRepetitionsInAnyOrder) {
  const json report = Report({"--benchmark_filter=^(Grows|Counted)", "--benchmark_repetitions=2",
                              "--benchmark_enable_random_interleaving",
                              "--benchmark_report_aggregates_only", "--benchmark_min_time=0.05"});
  EXPECT_EQ(RowOf(report, "Grows/manual_time/new_BigO")["big_o"], "N");
  EXPECT_EQ(RowOf(report, "Grows/512/manual_time_pooled")["runs"], 4);
  EXPECT_EQ(RowOf(report, "Counted_pooled")["runs"], 4);
  for (const std::string& name : NamesOf(report)) {
    EXPECT_FALSE(absl::EndsWith(name, "/old")) << name;
  }
}

TEST(ComplexityTest, AFamilyMayFailAltogether) {
  const Outcome outcome =
      Execute("aggregates", {"--benchmark_filter=^AllFail", "--benchmark_format=json"});
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  const json report = JsonOf(outcome.out);
  EXPECT_THAT(NamesOf(report), ElementsAre("AllFail/64", "AllFail/512"));
  for (const json& row : report["benchmarks"]) {
    EXPECT_THAT(row["error_message"].get<std::string>(), HasSubstr("no data")) << row;
  }
}

}  // namespace
}  // namespace duetbench::integration
