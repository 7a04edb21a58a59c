#include "duetbench/report/report_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using Row = benchmark::BenchmarkReporter::Run;
using Kind = ReportRow::Kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;

std::vector<std::string> Names(const std::vector<ReportRow>& rows) {
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const ReportRow& row : rows) names.push_back(row.run.benchmark_name());
  return names;
}

// Two runs a repetition, 4 % apart.
Comparison Repetition(double ratio, double old_ns) {
  Comparison comparison = FasterComparison();
  comparison.runs = comparison.runs_planned = 2;
  comparison.interval.ratio = ratio;
  comparison.run_log_ratios = {std::log(ratio) - 0.02, std::log(ratio) + 0.02};
  comparison.time_ns[0] = old_ns;
  comparison.time_ns[1] = old_ns * ratio;
  comparison.variants[0].counters = {
      {"items_per_second", 1e9 / old_ns, benchmark::Counter::kIsRate, benchmark::Counter::kIs1000}};
  comparison.variants[1].label = "arena";
  return comparison;
}

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}
double Range(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end()) -
         *std::min_element(values.begin(), values.end());
}
double RelativeRange(const std::vector<double>& values) { return Range(values) / Mean(values); }

// What the library makes of the repetitions' rows: the statistic of each counter.
Row Statistic(const std::vector<Row>& repetitions, const std::string& name,
              const std::function<double(const std::vector<double>&)>& statistic,
              benchmark::StatisticUnit unit = benchmark::kTime) {
  Row row = repetitions[0];
  row.run_type = Row::RT_Aggregate;
  row.aggregate_name = name;
  row.aggregate_unit = unit;
  row.iterations = static_cast<benchmark::IterationCount>(repetitions.size());
  row.real_accumulated_time = 77;
  row.cpu_accumulated_time = 78;
  for (auto& [key, counter] : row.counters) {
    std::vector<double> values;
    values.reserve(repetitions.size());
    for (const Row& repetition : repetitions) values.push_back(repetition.counters.at(key).value);
    counter.value = statistic(values);
  }
  return row;
}

class StatisticsTest : public ::testing::Test {
 protected:
  StatisticsTest() {
    for (const double ratio : {0.8, 0.9}) {
      book_.Add(Repetition(ratio, ratio * 100), "family", {}, book_.size() == 0);
    }
    for (int64_t number = 1; number <= book_.size(); ++number) {
      repetitions_.push_back(DuetRow("a", number, book_));
    }
  }

  ComparisonBook book_;
  std::vector<Row> repetitions_;
};

TEST_F(StatisticsTest, AreMadeOfBothVariantsAndTheRatio) {
  const std::vector<ReportRow> rows =
      MakeReportRows({Statistic(repetitions_, "mean", Mean)}, book_);
  ASSERT_THAT(Names(rows), ElementsAre("a/old_mean", "a/new_mean", "a_mean", "a_pooled"));
  EXPECT_NEAR(rows[0].run.GetAdjustedRealTime(), 85, 1e-9);
  EXPECT_NEAR(rows[1].run.GetAdjustedRealTime(), (64 + 81) / 2.0, 1e-9);
  EXPECT_NEAR(rows[0].run.GetAdjustedCPUTime(), 124, 1e-9);
  EXPECT_EQ(rows[0].run.iterations, 2);
  EXPECT_THAT(rows[0].run.counters, ElementsAre(Key("items_per_second")));
  EXPECT_NEAR(rows[0].run.counters.at("items_per_second").value, (1e9 / 80 + 1e9 / 90) / 2, 1e-3);
  EXPECT_EQ(rows[0].run.counters.at("items_per_second").flags, benchmark::Counter::kIsRate);
  EXPECT_EQ(rows[0].run.report_label, "");
  EXPECT_EQ(rows[1].run.report_label, "arena");
  EXPECT_EQ(rows[2].kind, Kind::kRatioStatistic);
  ASSERT_THAT(rows[2].run.counters, ElementsAre(Key("ratio"))) << "ends have no statistics";
  EXPECT_NEAR(rows[2].run.counters.at("ratio").value, 0.85, 1e-12);
  EXPECT_NEAR(rows[2].run.GetAdjustedRealTime(), (64 + 81) / 2.0, 1e-9) << "of new";
}

TEST_F(StatisticsTest, ThoseOfTheUserToo) {
  const std::vector<ReportRow> rows =
      MakeReportRows({Statistic(repetitions_, "range", Range),
                      Statistic(repetitions_, "spread", RelativeRange, benchmark::kPercentage)},
                     book_);
  ASSERT_THAT(rows, SizeIs(6)) << "without a mean it is not known which repetitions these are";
  EXPECT_NEAR(rows[0].run.GetAdjustedRealTime(), 10, 1e-9);
  EXPECT_NEAR(rows[2].run.counters.at("ratio").value, 0.1, 1e-12);
  // Reporters print a percentage as it is.
  EXPECT_NEAR(rows[3].run.real_accumulated_time, 10 / 85.0, 1e-9);
  EXPECT_NEAR(rows[5].run.counters.at("ratio").value, 0.1 / 0.85, 1e-12);
}

TEST_F(StatisticsTest, ThePooledRowFollowsTheLastOne) {
  Row mean = Statistic(repetitions_, "mean", Mean);
  Row range = Statistic(repetitions_, "range", Range);
  const std::vector<ReportRow> rows = MakeReportRows({mean, range, OrdinaryRow("b")}, book_);
  ASSERT_THAT(Names(rows), ElementsAre("a/old_mean", "a/new_mean", "a_mean", "a/old_range",
                                       "a/new_range", "a_range", "a_pooled", "b"));
  const ReportRow& pooled = rows[6];
  EXPECT_EQ(pooled.kind, Kind::kVerdict);
  ASSERT_NE(pooled.comparison, nullptr);
  EXPECT_EQ(pooled.comparison->runs, 4);
  EXPECT_NEAR(pooled.comparison->interval.ratio, std::sqrt(0.8 * 0.9), 1e-9);
  EXPECT_EQ(pooled.run.run_type, Row::RT_Aggregate);
  EXPECT_NEAR(pooled.run.counters.at("ratio_lo").value, pooled.comparison->interval.lo, 1e-12);
  EXPECT_EQ(pooled.run.counters.at("pairs").value, 2 * 18213);
  EXPECT_EQ(pooled.run.report_label, stats::VerdictName(pooled.comparison->verdict));
}

TEST_F(StatisticsTest, ARepetitionThatFailedIsNotPooled) {
  Comparison failed;
  failed.error.cause = "threw int";
  book_.Add(failed, "family", {}, false);
  const std::vector<ReportRow> rows =
      MakeReportRows({Statistic(repetitions_, "mean", Mean)}, book_);
  EXPECT_EQ(rows.back().comparison->runs, 4);
}

// --- Repetitions ---

TEST(ReportRowsTest, OrdinaryRowsStayAsTheyAre) {
  Row aggregate = OrdinaryRow("a");
  aggregate.run_type = Row::RT_Aggregate;
  aggregate.aggregate_name = "mean";
  const std::vector<ReportRow> rows = MakeReportRows(
      {OrdinaryRow("a"), aggregate, ErrorRow("b", "no data")}, *BookOf({FasterComparison()}));
  EXPECT_THAT(Names(rows), ElementsAre("a", "a_mean", "b"));
  for (const ReportRow& row : rows) EXPECT_EQ(row.kind, Kind::kLibrary);
}

TEST(ReportRowsTest, ARepetitionIsThreeRows) {
  const std::vector<ReportRow> rows =
      MakeReportRows({DuetRow("a", 2)}, *BookOf({Comparison(), FasterComparison()}));
  ASSERT_THAT(Names(rows), ElementsAre("a/old", "a/new", "a"));
  EXPECT_EQ(rows[2].kind, Kind::kVerdict);
  EXPECT_EQ(rows[2].comparison->runs, 40);
}

TEST(ReportRowsTest, AFailedComparisonIsAnErrorRow) {
  Comparison failed;
  failed.error = {1, "threw \"int\"\nand more"};
  failed.error_run = 2;
  const std::vector<ReportRow> rows = MakeReportRows({DuetRow("a", 1)}, *BookOf({failed}));
  ASSERT_THAT(Names(rows), ElementsAre("a"));
  EXPECT_EQ(rows[0].kind, Kind::kLibrary);
  EXPECT_TRUE(internal::HasError(rows[0].run, 0));
  EXPECT_THAT(rows[0].run.counters, IsEmpty());
}

// --- Complexity ---

// The fits that the library makes of rows that have no times.
Row Fit(const std::string& family, bool big_o) {
  Row row = OrdinaryRow(family);
  row.run_type = Row::RT_Aggregate;
  row.aggregate_name = big_o ? "BigO" : "RMS";
  row.report_big_o = big_o;
  row.report_rms = !big_o;
  row.iterations = 0;
  row.complexity = benchmark::o1;
  row.real_accumulated_time = 77;
  row.cpu_accumulated_time = 78;
  return row;
}

TEST(ReportRowsTest, AFitIsMadeForEachVariant) {
  ComparisonBook book;
  for (const int64_t n : {8, 64, 512}) {
    Comparison comparison = FasterComparison();
    comparison.time_ns[0] = 3.0 * static_cast<double>(n);
    comparison.time_ns[1] = 100 * std::log2(n);
    for (VariantReport& variant : comparison.variants) variant.complexity_n = n;
    book.Add(comparison, "f", {n}, true);
  }
  book.SetComplexity("f", benchmark::oAuto, nullptr);
  const std::vector<ReportRow> rows = MakeReportRows({Fit("f", true), Fit("f", false)}, book);
  ASSERT_THAT(Names(rows), ElementsAre("f/old_BigO", "f/new_BigO", "f/old_RMS", "f/new_RMS"));
  EXPECT_EQ(rows[0].run.complexity, benchmark::oN);
  EXPECT_NEAR(rows[0].run.GetAdjustedRealTime(), 3, 1e-9);
  EXPECT_EQ(rows[1].run.complexity, benchmark::oLogN);
  EXPECT_NEAR(rows[1].run.GetAdjustedRealTime(), 100, 1e-9);
  EXPECT_NEAR(rows[2].run.GetAdjustedRealTime(), 0, 1e-9);
}

TEST(ReportRowsTest, AVariantWithoutSizesHasNoFit) {
  ComparisonBook book;
  for (const int64_t n : {8, 64}) {
    Comparison comparison = FasterComparison();
    comparison.variants[1].complexity_n = n;
    book.Add(comparison, "f", {n}, true);
  }
  book.SetComplexity("f", benchmark::oN, nullptr);
  EXPECT_THAT(Names(MakeReportRows({Fit("f", true), Fit("f", false)}, book)),
              ElementsAre("f/new_BigO", "f/new_RMS"));
}

TEST(ReportRowsTest, FitsOfOrdinaryBenchmarksAreTheLibrarys) {
  const std::vector<ReportRow> rows = MakeReportRows({Fit("g", true)}, *BookOf({}));
  ASSERT_THAT(Names(rows), ElementsAre("g_BigO"));
  EXPECT_EQ(rows[0].run.real_accumulated_time, 77);
}

}  // namespace
}  // namespace duetbench
