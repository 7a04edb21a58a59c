#include "duetbench/report/duet_file.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using nlohmann::json;
using Row = benchmark::BenchmarkReporter::Run;
using ::testing::ElementsAre;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::string Report(DuetFile&& file, const std::vector<std::vector<Row>>& calls) {
  std::ostringstream out, err;
  file.SetOutputStream(&out);
  file.SetErrorStream(&err);
  EXPECT_TRUE(file.ReportContext(ContextOfWidth(10)));
  for (const std::vector<Row>& rows : calls) file.ReportRuns(rows);
  file.Finalize();
  return out.str();
}

json ReportJson(std::vector<Comparison> comparisons, const std::vector<std::vector<Row>>& calls) {
  const std::string text = Report(DuetFile(std::make_unique<benchmark::JSONReporter>(),
                                           BookOf(std::move(comparisons)), /*at_the_end=*/false),
                                  calls);
  const json parsed = json::parse(text, nullptr, /*allow_exceptions=*/false);
  EXPECT_FALSE(parsed.is_discarded()) << text;
  return parsed.is_discarded() ? json{{"benchmarks", json::array()}} : parsed;
}

std::vector<std::string> ReportCsv(std::vector<Comparison> comparisons,
                                   const std::vector<std::vector<Row>>& calls) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  auto csv = std::make_unique<benchmark::CSVReporter>();
#pragma GCC diagnostic pop
  const std::string text =
      Report(DuetFile(std::move(csv), BookOf(std::move(comparisons)), /*at_the_end=*/true), calls);
  return absl::StrSplit(text, '\n', absl::SkipEmpty());
}

std::vector<std::string> Names(const json& report) {
  std::vector<std::string> names;
  for (const json& row : report["benchmarks"]) names.push_back(row["name"]);
  return names;
}

// --- JSON ---

TEST(DuetFileJsonTest, ADuetHasThreeRows) {
  const json report = ReportJson({FasterComparison()}, {{DuetRow("A_vs_B/64", 1)}});
  EXPECT_THAT(Names(report), ElementsAre("A_vs_B/64/old", "A_vs_B/64/new", "A_vs_B/64"));
}

TEST(DuetFileJsonTest, TheRatioHasFlatKeys) {
  const json row = ReportJson({FasterComparison()}, {{DuetRow("A_vs_B", 1)}})["benchmarks"][2];
  EXPECT_EQ(row["ratio"], 0.8);
  EXPECT_EQ(row["ratio_lo"], 0.79);
  EXPECT_EQ(row["ratio_hi"], 0.81);
  EXPECT_EQ(row["ratio_level"], 0.99);
  EXPECT_EQ(row["runs"], 40);
  EXPECT_EQ(row["pairs"], 18213);
  EXPECT_EQ(row["pairs_dropped"], 12);
  EXPECT_EQ(row["skew_ns"], 8.5);
  EXPECT_EQ(row["label"], "FASTER");
  for (const auto& [key, value] : row.items()) EXPECT_TRUE(value.is_primitive()) << key;
}

// What tools/compare.py of the library looks for in each row.
TEST(DuetFileJsonTest, EveryRowIsWhatCompareReads) {
  const json report = ReportJson({FasterComparison()}, {{DuetRow("a", 1)}});
  ASSERT_THAT(report["benchmarks"], SizeIs(3));
  for (const json& row : report["benchmarks"]) {
    EXPECT_EQ(row["run_type"], "iteration");
    EXPECT_TRUE(row["real_time"].is_number());
    EXPECT_TRUE(row["cpu_time"].is_number());
    EXPECT_EQ(row["time_unit"], "ns");
    EXPECT_TRUE(row["iterations"].is_number());
    EXPECT_TRUE(row["run_name"].is_string());
  }
}

TEST(DuetFileJsonTest, WhatIsNotFiniteIsLeftOut) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const json report = ReportJson(
      {WithVerdict(stats::Verdict::kInconclusive, Interval(1.5, 0, kInf))}, {{DuetRow("a", 1)}});
  const json row = report["benchmarks"][2];
  EXPECT_EQ(row["ratio_lo"], 0);
  EXPECT_FALSE(row.contains("ratio_hi"));
  EXPECT_EQ(row["label"], "INCONCLUSIVE");
}

TEST(DuetFileJsonTest, WhatIsNotFiniteIsLeftOutOfOrdinaryRowsToo) {
  Row row = OrdinaryRow("a");
  row.counters["apples"] = benchmark::Counter(std::numeric_limits<double>::quiet_NaN());
  row.counters["pears"] = benchmark::Counter(3);
  row.cpu_accumulated_time = std::numeric_limits<double>::infinity();
  const json report = ReportJson({}, {{row}});
  EXPECT_FALSE(report["benchmarks"][0].contains("apples"));
  EXPECT_EQ(report["benchmarks"][0]["pears"], 3);
  EXPECT_EQ(report["benchmarks"][0]["cpu_time"], 0);
}

TEST(DuetFileJsonTest, MixesWithOrdinaryRowsInOrder) {
  const std::string error = "old threw std::runtime_error: \"quoted\"\n\t\\ (in run 1)";
  const json report = ReportJson({FasterComparison()}, {{OrdinaryRow("BM_1")},
                                                        {DuetRow("A_vs_B", 1), OrdinaryRow("BM_2")},
                                                        {ErrorRow("C_vs_D", error)}});
  EXPECT_THAT(Names(report),
              ElementsAre("BM_1", "A_vs_B/old", "A_vs_B/new", "A_vs_B", "BM_2", "C_vs_D"));
  EXPECT_EQ(report["benchmarks"][5]["error_message"], error);
}

TEST(DuetFileJsonTest, AwkwardNamesAndLabelsAreEscaped) {
  Comparison comparison = FasterComparison();
  comparison.variants[0].label = "a \"label\" with \\ and é";
  const std::string name = "f<\"a\", '\\n'>(x|y)[1]{2}/é";
  const json report = ReportJson({comparison}, {{DuetRow(name, 1)}});
  EXPECT_THAT(Names(report), ElementsAre(name + "/old", name + "/new", name));
  EXPECT_EQ(report["benchmarks"][0]["label"], comparison.variants[0].label);
}

// --- CSV ---

TEST(DuetFileCsvTest, RowsWithDifferentCountersShareOneHeader) {
  Comparison comparison = FasterComparison();
  comparison.variants[0].counters = {{"pears", 3, 0, benchmark::Counter::kIs1000}};
  Row counted = OrdinaryRow("BM_Counted");
  counted.counters["apples"] = benchmark::Counter(7);
  const std::vector<std::string> lines = ReportCsv(
      {comparison, FasterComparison()},
      {{OrdinaryRow("BM_Plain")}, {counted}, {DuetRow("A_vs_B", 1)}, {DuetRow("C_vs_D", 2)}});
  ASSERT_THAT(lines, SizeIs(1 + 2 + 3 + 3));
  EXPECT_EQ(lines[0],
            "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,"
            "error_occurred,error_message,\"apples\",\"pairs\",\"pairs_dropped\",\"pears\","
            "\"ratio\",\"ratio_hi\",\"ratio_level\",\"ratio_lo\",\"runs\",\"skew_ns\"");
  EXPECT_EQ(lines[1], "\"BM_Plain\",1000,50,40,ns,,,,,,,,,,,,,,,");
  EXPECT_EQ(lines[2], "\"BM_Counted\",1000,50,40,ns,,,,,,7,,,,,,,,,");
  EXPECT_EQ(lines[3], "\"A_vs_B/old\",3000,125,124,ns,,,,,,,,,3,,,,,,");
  EXPECT_EQ(lines[4], "\"A_vs_B/new\",3010,100,99,ns,,,,,,,,,,,,,,,");
  EXPECT_EQ(lines[5],
            "\"A_vs_B\",3010,100,99,ns,,,\"FASTER\",,,,18213,12,,0.8,0.81,0.99,0.79,40,8.5");
  EXPECT_THAT(lines[8], StartsWith("\"C_vs_D\",3010,"));
}

TEST(DuetFileCsvTest, AwkwardNamesAreQuoted) {
  const std::vector<std::string> lines =
      ReportCsv({FasterComparison()}, {{DuetRow("f<\"a\", b>", 1)}});
  ASSERT_THAT(lines, SizeIs(4));
  EXPECT_THAT(lines[3], StartsWith("\"f<\"\"a\"\", b>\",3010,"));
}

TEST(DuetFileCsvTest, NothingMeasuredMeansNothingWritten) {
  EXPECT_THAT(ReportCsv({}, {}), SizeIs(0));
}

}  // namespace
}  // namespace duetbench
