// Rows over the repetitions of a duet, and over the sizes of a family.
#include <algorithm>
#include <cmath>
#include <vector>

#include "duetbench/google_benchmark/duet_rows.h"
#include "duetbench/google_benchmark/versions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/google_benchmark/duets.h"

namespace duetbench {
namespace {

using Row = benchmark::BenchmarkReporter::Run;
using Kind = ReportRow::Kind;

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;

double Range(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end()) -
         *std::min_element(values.begin(), values.end());
}
double SumOfInverses(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += 1 / value;
  return sum;
}

class StatisticsTest : public ::testing::Test {
 protected:
  StatisticsTest() : instance_(InstanceOf("a", 2)) { instance_.spec = &spec_; }

  std::vector<ReportRow> Aggregates(std::vector<Comparison> more = {}) const {
    more.insert(more.begin(), {RepetitionOf(0.8, 80), RepetitionOf(0.9, 90)});
    return RowsOf(instance_, more).aggregates;
  }

  DuetSpec spec_;
  DuetInstance instance_;
};

TEST_F(StatisticsTest, AreOfBothVariantsAndTheRatio) {
  const std::vector<ReportRow> rows = Aggregates();
  ASSERT_THAT(RowNames(rows),
              ElementsAre("a/old_mean", "a/new_mean", "a_mean", "a/old_median", "a/new_median",
                          "a_median", "a/old_stddev", "a/new_stddev", "a_stddev", "a/old_cv",
                          "a/new_cv", "a_cv", "a_pooled"));
  EXPECT_NEAR(rows[0].run.GetAdjustedRealTime(), 85, 1e-9);
  EXPECT_NEAR(rows[1].run.GetAdjustedRealTime(), (64 + 81) / 2.0, 1e-9);
  EXPECT_NEAR(rows[0].run.GetAdjustedCPUTime(), 124, 1e-9);
  EXPECT_EQ(rows[0].run.iterations, 2);
  EXPECT_EQ(rows[0].run.run_type, Row::RT_Aggregate);
  EXPECT_THAT(rows[0].run.counters, ElementsAre(Key("items_per_second")));
  const benchmark::Counter& items = rows[0].run.counters.at("items_per_second");
  EXPECT_NEAR(items.value, (1e9 / 80 + 1e9 / 90) / 2, 1e-3);
  EXPECT_EQ(items.flags, benchmark::Counter::kIsRate);
  EXPECT_EQ(rows[0].run.report_label, "");
  EXPECT_EQ(rows[1].run.report_label, "arena");
  EXPECT_EQ(rows[2].kind, Kind::kRatioStatistic);
  ASSERT_THAT(rows[2].run.counters, ElementsAre(Key("ratio"))) << "ends have no statistics";
  EXPECT_NEAR(rows[2].run.counters.at("ratio").value, 0.85, 1e-12);
  EXPECT_NEAR(rows[2].run.GetAdjustedRealTime(), (64 + 81) / 2.0, 1e-9) << "of new";
  EXPECT_NEAR(rows[6].run.GetAdjustedRealTime(), std::sqrt(50), 1e-9);
}

TEST_F(StatisticsTest, ThoseOfTheUserFollow) {
  spec_.statistics = {{"range", Range, benchmark::kTime}, {"share", Range, benchmark::kPercentage}};
  const std::vector<ReportRow> rows = Aggregates();
  ASSERT_THAT(rows, SizeIs(6 * 3 + 1));
  EXPECT_EQ(rows[12].run.benchmark_name(), "a/old_range");
  EXPECT_NEAR(rows[12].run.GetAdjustedRealTime(), 10, 1e-9);
  EXPECT_NEAR(rows[14].run.counters.at("ratio").value, 0.1, 1e-12);
  // Reporters print a percentage as it is.
  EXPECT_EQ(rows[15].run.aggregate_unit, benchmark::kPercentage);
  EXPECT_NEAR(rows[15].run.real_accumulated_time, 10e-9, 1e-18);
}

TEST_F(StatisticsTest, WhatIsNotFiniteIsZeroOrLeftOut) {
  spec_.statistics = {{"inverse", SumOfInverses, benchmark::kTime}};
  Comparison zero = RepetitionOf(0.8, 80);
  zero.estimate()->cpu_ns[0] = 0;
  zero.estimate()->variants[0].counters[0].value = 0;
  const std::vector<ReportRow> rows = RowsOf(instance_, {zero, zero}).aggregates;
  EXPECT_EQ(rows[12].run.benchmark_name(), "a/old_inverse");
  EXPECT_EQ(rows[12].run.cpu_accumulated_time, 0);
  EXPECT_GT(rows[12].run.real_accumulated_time, 0);
  EXPECT_THAT(rows[12].run.counters, IsEmpty());
}

TEST_F(StatisticsTest, ACounterMayBeMissingInARepetition) {
  Comparison third = RepetitionOf(0.8, 80);
  third.estimate()->variants[0].counters.clear();
  const std::vector<ReportRow> rows = Aggregates({third});
  EXPECT_NEAR(rows[0].run.counters.at("items_per_second").value, (1e9 / 80 + 1e9 / 90) / 2, 1e-3);
}

TEST_F(StatisticsTest, ALabelIsShownIfAllRepetitionsHaveIt) {
  Comparison third = RepetitionOf(0.8, 80);
  third.estimate()->variants[1].label = "heap";
  EXPECT_EQ(Aggregates({third})[1].run.report_label, "");
}

TEST_F(StatisticsTest, ThePooledRowHasTheRunsOfAllRepetitions) {
  const ReportRow pooled = Aggregates().back();
  EXPECT_EQ(pooled.kind, Kind::kVerdict);
  ASSERT_NE(pooled.comparison, nullptr);
  EXPECT_EQ(pooled.comparison->estimate()->runs, 4);
  EXPECT_NEAR(pooled.comparison->estimate()->interval.ratio, std::sqrt(0.8 * 0.9), 1e-9);
  EXPECT_EQ(pooled.run.run_type, Row::RT_Aggregate);
  EXPECT_EQ(pooled.run.aggregate_unit, benchmark::kTime);
  EXPECT_NEAR(pooled.run.counters.at("ratio_lo").value, pooled.comparison->estimate()->interval.lo,
              1e-12);
  EXPECT_EQ(pooled.run.counters.at("pairs").value, 2 * 18213);
  EXPECT_EQ(pooled.run.report_label, stats::VerdictName(pooled.comparison->estimate()->verdict));
}

TEST_F(StatisticsTest, ARepetitionThatFailedIsLeftOut) {
  instance_.repetitions = 3;
  const std::vector<ReportRow> rows = Aggregates({FailedComparison("threw int")});
  EXPECT_EQ(rows.back().comparison->estimate()->runs, 4);
  EXPECT_NEAR(rows[0].run.GetAdjustedRealTime(), 85, 1e-9);
  EXPECT_EQ(rows[0].run.iterations, 3) << "as Google Benchmark has it: all repetitions";
}

TEST_F(StatisticsTest, NeedTwoRepetitionsWithoutError) {
  EXPECT_THAT(RowsOf(instance_, {RepetitionOf(0.8, 80), FailedComparison("threw int")}).aggregates,
              IsEmpty());
  EXPECT_THAT(
      RowsOf(instance_, {FailedComparison("threw int"), FailedComparison("threw int")}).aggregates,
      IsEmpty());
}

std::vector<FamilyMember> Family(const DuetInstance& instance,
                                 const std::vector<Comparison>& measured) {
  std::vector<FamilyMember> family;
  for (const Comparison& comparison : measured) family.push_back({&instance, Shared(comparison)});
  return family;
}

class ComplexityRowsTest : public ::testing::Test {
 protected:
  ComplexityRowsTest() : instance_(InstanceOf("f")) {
    instance_.spec = &spec_;
    instance_.name.args = "8";
    instance_.name.time_type = "manual_time";
    spec_.complexity = benchmark::oAuto;
  }
  static Comparison Measured(int64_t n, double old_ns, double new_ns) {
    Comparison comparison = FasterComparison();
    comparison.estimate()->time_ns[0] = old_ns;
    comparison.estimate()->time_ns[1] = new_ns;
    for (VariantReport& variant : comparison.estimate()->variants) variant.complexity_n = n;
    return comparison;
  }

  DuetSpec spec_;
  DuetInstance instance_;
};

TEST_F(ComplexityRowsTest, AFitIsMadeForEachVariant) {
  std::vector<Comparison> measured;
  for (const int64_t n : {8, 64, 512}) {
    measured.push_back(Measured(n, 3.0 * static_cast<double>(n), 100 * std::log2(n)));
  }
  const std::vector<ReportRow> rows = MakeComplexityRows(Family(instance_, measured));
  ASSERT_THAT(RowNames(rows), ElementsAre("f/manual_time/old_BigO", "f/manual_time/new_BigO",
                                          "f/manual_time/old_RMS", "f/manual_time/new_RMS"));
  EXPECT_EQ(rows[0].run.complexity, benchmark::oN);
  EXPECT_TRUE(rows[0].run.report_big_o);
  EXPECT_NEAR(rows[0].run.GetAdjustedRealTime(), 3, 1e-9);
  EXPECT_EQ(rows[1].run.complexity, benchmark::oLogN);
  EXPECT_NEAR(rows[1].run.GetAdjustedRealTime(), 100, 1e-9);
  EXPECT_TRUE(rows[2].run.report_rms);
  EXPECT_NEAR(rows[2].run.GetAdjustedRealTime(), 0, 1e-9);
}

TEST_F(ComplexityRowsTest, AVariantWithoutSizesHasNoFit) {
  spec_.complexity = benchmark::oN;
  std::vector<Comparison> measured = {Measured(8, 10, 10), Measured(64, 10, 10)};
  for (Comparison& comparison : measured) comparison.estimate()->variants[0].complexity_n = 0;
  EXPECT_THAT(RowNames(MakeComplexityRows(Family(instance_, measured))),
              ElementsAre("f/manual_time/new_BigO", "f/manual_time/new_RMS"));
}

TEST_F(ComplexityRowsTest, ErrorsAreLeftOut) {
  std::vector<Comparison> measured = {FailedComparison("threw int"), Measured(8, 8, 8),
                                      Measured(64, 64, 64)};
  EXPECT_THAT(MakeComplexityRows(Family(instance_, measured)), SizeIs(4));
  measured.pop_back();
  EXPECT_THAT(MakeComplexityRows(Family(instance_, measured)), IsEmpty()) << "of one point";
  EXPECT_THAT(MakeComplexityRows(Family(instance_, {FailedComparison("threw int")})), IsEmpty());
}

}  // namespace
}  // namespace duetbench
