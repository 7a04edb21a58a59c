#include <limits>
#include <locale>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "duetbench/google_benchmark/reports.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/google_benchmark/duets.h"

namespace duetbench {
namespace {

using nlohmann::json;
using Row = benchmark::BenchmarkReporter::Run;
using Calls = std::vector<std::vector<ReportRow>>;
using ::testing::ElementsAre;
using ::testing::SizeIs;
using ::testing::StartsWith;

// Writes a report of `calls` and `suite`.
std::string Write(const Calls& calls, std::unique_ptr<Report> (*make)(std::ostream*, std::ostream*),
                  const std::string& suite = "") {
  std::ostringstream out, err;
  const std::unique_ptr<Report> report = make(&out, &err);
  report->Begin(ContextOfWidth(10));
  for (const std::vector<ReportRow>& rows : calls) report->Add(rows);
  report->End(suite);
  return out.str();
}

json WriteJson(const Calls& calls, const std::string& suite = "") {
  const std::string text = Write(calls, MakeJsonReport, suite);
  const json parsed = json::parse(text, nullptr, /*allow_exceptions=*/false);
  EXPECT_FALSE(parsed.is_discarded()) << text;
  return parsed.is_discarded() ? json::object() : parsed;
}

json RowsInJson(const Calls& calls) { return WriteJson(calls)["benchmarks"]; }

std::vector<std::string> WriteCsv(const Calls& calls) {
  return absl::StrSplit(Write(calls, MakeCsvReport), '\n', absl::SkipEmpty());
}

std::vector<std::string> NamesInJson(const json& rows) {
  std::vector<std::string> names;
  for (const json& row : rows) names.push_back(row["name"]);
  return names;
}

// --- JSON ---

struct Grouping final : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(JsonReportTest, NumbersDoNotDependOnTheLocale) {
  const std::locale earlier =
      std::locale::global(std::locale(std::locale::classic(), new Grouping));
  const json rows = RowsInJson({DuetRows("A_vs_B", FasterComparison())});
  EXPECT_EQ(rows[2]["ratio"], 0.8);
  EXPECT_EQ(std::locale::global(earlier).name(), "*") << "it is as before";
}

TEST(JsonReportTest, TheRatioHasFlatKeys) {
  const json row = RowsInJson({DuetRows("A_vs_B", FasterComparison())})[2];
  EXPECT_EQ(row["ratio"], 0.8);
  EXPECT_EQ(row["ratio_lo"], 0.79);
  EXPECT_EQ(row["ratio_hi"], 0.81);
  EXPECT_EQ(row["ratio_level"], 0.99);
  EXPECT_EQ(row["runs"], 40);
  EXPECT_EQ(row["pairs"], 18213);
  EXPECT_EQ(row["pairs_dropped"], 12);
  EXPECT_EQ(row["label"], "FASTER");
  for (const auto& [key, value] : row.items()) EXPECT_TRUE(value.is_primitive()) << key;
}

// The fields that Google Benchmark's tools/compare.py looks for in each row.
TEST(JsonReportTest, EveryRowIsWhatCompareReads) {
  const json rows = RowsInJson({DuetRows("a", FasterComparison())});
  ASSERT_THAT(rows, SizeIs(3));
  for (const json& row : rows) {
    EXPECT_EQ(row["run_type"], "iteration");
    EXPECT_TRUE(row["real_time"].is_number());
    EXPECT_TRUE(row["cpu_time"].is_number());
    EXPECT_EQ(row["time_unit"], "ns");
    EXPECT_TRUE(row["iterations"].is_number());
    EXPECT_TRUE(row["run_name"].is_string());
  }
}

TEST(JsonReportTest, WhatIsNotFiniteIsLeftOut) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const json row = RowsInJson(
      {DuetRows("a", WithVerdict(stats::Verdict::kInconclusive, Interval(1.5, 0, kInf)))})[2];
  EXPECT_EQ(row["ratio_lo"], 0);
  EXPECT_FALSE(row.contains("ratio_hi"));
  EXPECT_EQ(row["label"], "INCONCLUSIVE");
}

TEST(JsonReportTest, WhatIsNotFiniteIsLeftOutOfOrdinaryRowsToo) {
  Row run = OrdinaryRow("a");
  run.counters["apples"] = benchmark::Counter(std::numeric_limits<double>::quiet_NaN());
  run.counters["pears"] = benchmark::Counter(3);
  run.cpu_accumulated_time = std::numeric_limits<double>::infinity();
  const json row = RowsInJson({PlainRows({run})})[0];
  EXPECT_FALSE(row.contains("apples"));
  EXPECT_EQ(row["pears"], 3);
  EXPECT_EQ(row["cpu_time"], 0);
}

TEST(JsonReportTest, OrdinaryRowsAndDuetsKeepTheirOrder) {
  const std::string error = "old threw std::runtime_error: \"quoted\"\n\t\\ (in run 1)";
  const json rows =
      RowsInJson({PlainRows({OrdinaryRow("BM_1")}), DuetRows("A_vs_B", FasterComparison()),
                  PlainRows({OrdinaryRow("BM_2"), ErrorRow("C_vs_D", error)})});
  EXPECT_THAT(NamesInJson(rows),
              ElementsAre("BM_1", "A_vs_B/old", "A_vs_B/new", "A_vs_B", "BM_2", "C_vs_D"));
  EXPECT_EQ(rows[5]["error_message"], error);
}

TEST(JsonReportTest, AwkwardNamesAndLabelsAreEscaped) {
  Comparison comparison = FasterComparison();
  comparison.variants[0].label = "a \"label\" with \\ and é";
  const std::string name = "f<\"a\", '\\n'>(x|y)[1]{2}/é";
  const json rows = RowsInJson({DuetRows(name, comparison)});
  EXPECT_THAT(NamesInJson(rows), ElementsAre(name + "/old", name + "/new", name));
  EXPECT_EQ(rows[0]["label"], comparison.variants[0].label);
}

TEST(JsonReportTest, TheSuiteStandsBehindTheRows) {
  for (const Calls& calls : {Calls{}, Calls{DuetRows("A_vs_B", FasterComparison())}}) {
    const json parsed = WriteJson(calls, "{\n  \"duets\": 3\n}");
    EXPECT_EQ(parsed["duet_suite"]["duets"], 3);
    EXPECT_EQ(parsed["benchmarks"].size(), calls.empty() ? 0u : 3u);
  }
}

TEST(JsonReportTest, NothingMeasuredIsAnEmptyList) {
  EXPECT_THAT(RowsInJson({}), SizeIs(0));
  EXPECT_THAT(RowsInJson({{}}), SizeIs(0));
}

// --- CSV ---

TEST(CsvReportTest, RowsWithDifferentCountersShareOneHeader) {
  Comparison comparison = FasterComparison();
  comparison.variants[0].counters = {{"pears", 3, 0, benchmark::Counter::kIs1000}};
  Row counted = OrdinaryRow("BM_Counted");
  counted.counters["apples"] = benchmark::Counter(7);
  const std::vector<std::string> lines =
      WriteCsv({PlainRows({OrdinaryRow("BM_Plain")}), PlainRows({counted}),
                DuetRows("A_vs_B", comparison), DuetRows("C_vs_D", FasterComparison())});
  ASSERT_THAT(lines, SizeIs(1 + 2 + 3 + 3));
  EXPECT_EQ(lines[0],
            "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,"
            "error_occurred,error_message,\"apples\",\"pairs\",\"pairs_dropped\",\"pears\","
            "\"ratio\",\"ratio_hi\",\"ratio_level\",\"ratio_lo\",\"runs\",\"schedule\"");
  EXPECT_EQ(lines[1], "\"BM_Plain\",1000,50,40,ns,,,,,,,,,,,,,,,");
  EXPECT_EQ(lines[2], "\"BM_Counted\",1000,50,40,ns,,,,,,7,,,,,,,,,");
  EXPECT_EQ(lines[3], "\"A_vs_B/old\",3000,125,124,ns,,,,,,,,,3,,,,,,");
  EXPECT_EQ(lines[4], "\"A_vs_B/new\",3010,100,99,ns,,,,,,,,,,,,,,,");
  EXPECT_EQ(lines[5],
            "\"A_vs_B\",3010,100,99,ns,,,\"FASTER\",,,,18213,12,,0.8,0.81,0.99,0.79,40,0");
  EXPECT_THAT(lines[8], StartsWith("\"C_vs_D\",3010,"));
}

TEST(CsvReportTest, AwkwardNamesAreQuoted) {
  const std::vector<std::string> lines = WriteCsv({DuetRows("f<\"a\", b>", FasterComparison())});
  ASSERT_THAT(lines, SizeIs(4));
  EXPECT_THAT(lines[3], StartsWith("\"f<\"\"a\"\", b>\",3010,"));
}

TEST(CsvReportTest, NothingMeasuredMeansNothingWritten) { EXPECT_THAT(WriteCsv({}), SizeIs(0)); }

}  // namespace
}  // namespace duetbench
