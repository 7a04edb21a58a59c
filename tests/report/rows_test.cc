#include "duetbench/report/rows.h"

#include <cmath>
#include <limits>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using Row = benchmark::BenchmarkReporter::Run;

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// --- Names ---

TEST(DuetRowsTest, AreNamedByVariant) {
  const DuetRows rows = MakeDuetRows(DuetRow("BM_A_vs_BM_B", 1), FasterComparison());
  EXPECT_EQ(rows.variants[0].benchmark_name(), "BM_A_vs_BM_B/old");
  EXPECT_EQ(rows.variants[1].benchmark_name(), "BM_A_vs_BM_B/new");
  EXPECT_EQ(rows.comparison.benchmark_name(), "BM_A_vs_BM_B");
}

TEST(DuetRowsTest, VariantComesBehindEverySuffixOfTheName) {
  Row row = DuetRow("f", 1);
  row.run_name.args = "64/n:8";
  row.run_name.min_time = "min_time:0.500";
  row.run_name.iterations = "iterations:10";
  row.run_name.repetitions = "repeats:3";
  row.run_name.time_type = "manual_time";
  const DuetRows rows = MakeDuetRows(row, FasterComparison());
  const std::string name = row.benchmark_name();
  EXPECT_EQ(rows.comparison.benchmark_name(), name);
  EXPECT_EQ(rows.variants[0].benchmark_name(), name + "/old");
  EXPECT_EQ(rows.variants[1].benchmark_name(), name + "/new");
  row.run_name.threads = "threads:1";
  EXPECT_EQ(MakeDuetRows(row, FasterComparison()).variants[0].benchmark_name(),
            row.benchmark_name() + "/old");
}

TEST(DuetRowsTest, KeepWhatTheLibraryKnowsAboutTheRow) {
  Row row = DuetRow("f", 1);
  row.family_index = 3;
  row.per_family_instance_index = 4;
  row.repetition_index = 1;
  row.repetitions = 5;
  row.time_unit = benchmark::kMillisecond;
  const DuetRows rows = MakeDuetRows(row, FasterComparison());
  for (const Row& made : {rows.variants[0], rows.variants[1], rows.comparison}) {
    EXPECT_EQ(made.family_index, 3);
    EXPECT_EQ(made.per_family_instance_index, 4);
    EXPECT_EQ(made.repetition_index, 1);
    EXPECT_EQ(made.repetitions, 5);
    EXPECT_EQ(made.time_unit, benchmark::kMillisecond);
    EXPECT_EQ(made.run_type, Row::RT_Iteration);
  }
}

// --- Times ---

TEST(DuetRowsTest, ShowTheTimesPerOperation) {
  const DuetRows rows = MakeDuetRows(DuetRow("f", 1), FasterComparison());
  EXPECT_NEAR(rows.variants[0].GetAdjustedRealTime(), 125, 1e-9);
  EXPECT_NEAR(rows.variants[0].GetAdjustedCPUTime(), 124, 1e-9);
  EXPECT_EQ(rows.variants[0].iterations, 3000);
  EXPECT_NEAR(rows.variants[1].GetAdjustedRealTime(), 100, 1e-9);
  EXPECT_NEAR(rows.variants[1].GetAdjustedCPUTime(), 99, 1e-9);
  EXPECT_EQ(rows.variants[1].iterations, 3010);
}

TEST(DuetRowsTest, TheComparisonHasTheTimeOfNew) {
  const DuetRows rows = MakeDuetRows(DuetRow("f", 1), FasterComparison());
  EXPECT_NEAR(rows.comparison.GetAdjustedRealTime(), 100, 1e-9);
  EXPECT_EQ(rows.comparison.iterations, 3010);
}

TEST(DuetRowsTest, TimesAreInTheUnitOfTheBenchmark) {
  Row row = DuetRow("f", 1);
  row.time_unit = benchmark::kMicrosecond;
  EXPECT_NEAR(MakeDuetRows(row, FasterComparison()).variants[0].GetAdjustedRealTime(), 0.125,
              1e-12);
}

TEST(DuetRowsTest, TimesAreFiniteWithoutOperations) {
  Comparison comparison = FasterComparison();
  comparison.operations[0] = 0;
  const DuetRows rows = MakeDuetRows(DuetRow("f", 1), comparison);
  EXPECT_TRUE(std::isfinite(rows.variants[0].GetAdjustedRealTime()));
  EXPECT_EQ(rows.variants[0].iterations, 1);
}

// --- Labels and counters ---

TEST(DuetRowsTest, HaveTheLabelsOfTheVariantsAndTheVerdict) {
  Comparison comparison = FasterComparison();
  comparison.variants[0].label = "the old one";
  const DuetRows rows = MakeDuetRows(DuetRow("f", 1), comparison);
  EXPECT_EQ(rows.variants[0].report_label, "the old one");
  EXPECT_EQ(rows.variants[1].report_label, "");
  EXPECT_EQ(rows.comparison.report_label, "FASTER");
}

TEST(DuetRowsTest, HaveLabelsThatEveryReportCanHold) {
  Comparison comparison = FasterComparison();
  comparison.variants[0].label = "two\nlines\xff";
  EXPECT_EQ(MakeDuetRows(DuetRow("f", 1), comparison).variants[0].report_label, "two lines\uFFFD");
}

TEST(DuetRowsTest, NameEveryVerdict) {
  const std::pair<stats::Verdict, const char*> kVerdicts[] = {
      {stats::Verdict::kFaster, "FASTER"},
      {stats::Verdict::kSlower, "SLOWER"},
      {stats::Verdict::kEqual, "EQUAL"},
      {stats::Verdict::kInconclusive, "INCONCLUSIVE"}};
  for (const auto& [verdict, name] : kVerdicts) {
    EXPECT_EQ(MakeDuetRows(DuetRow("f", 1), WithVerdict(verdict, Interval(1, 1, 1)))
                  .comparison.report_label,
              name);
  }
}

TEST(DuetRowsTest, HaveTheCountersOfEachVariant) {
  Comparison comparison = FasterComparison();
  comparison.variants[0].counters = {
      {"items_per_second", 1e6, benchmark::Counter::kIsRate, benchmark::Counter::kIs1000}};
  comparison.variants[1].counters = {
      {"bytes_per_second", 2e6, benchmark::Counter::kIsRate, benchmark::Counter::kIs1024}};
  const DuetRows rows = MakeDuetRows(DuetRow("f", 1), comparison);
  ASSERT_THAT(rows.variants[0].counters, UnorderedElementsAre(Key("items_per_second")));
  EXPECT_EQ(rows.variants[0].counters.at("items_per_second").value, 1e6);
  EXPECT_EQ(rows.variants[0].counters.at("items_per_second").flags, benchmark::Counter::kIsRate);
  EXPECT_EQ(rows.variants[0].counters.at("items_per_second").oneK, benchmark::Counter::kIs1000);
  ASSERT_THAT(rows.variants[1].counters, UnorderedElementsAre(Key("bytes_per_second")));
  EXPECT_EQ(rows.variants[1].counters.at("bytes_per_second").oneK, benchmark::Counter::kIs1024);
}

TEST(DuetRowsTest, NoRowShowsTheNumberOfTheComparison) {
  const DuetRows rows = MakeDuetRows(DuetRow("f", 1), FasterComparison());
  EXPECT_THAT(rows.variants[0].counters, IsEmpty());
  EXPECT_THAT(rows.variants[1].counters, IsEmpty());
  EXPECT_THAT(rows.comparison.counters, Not(Contains(Key(kComparisonKey))));
}

TEST(ComparisonCountersTest, AreTheNumbersOfTheComparison) {
  EXPECT_THAT(
      ComparisonCounters(FasterComparison()),
      UnorderedElementsAre(Pair("ratio", 0.8), Pair("ratio_lo", 0.79), Pair("ratio_hi", 0.81),
                           Pair("ratio_level", 0.99), Pair("runs", 40), Pair("pairs", 18213),
                           Pair("pairs_dropped", 12), Pair("skew_ns", 8.5)));
}

TEST(ComparisonCountersTest, TellWhatPairingGained) {
  Comparison comparison = FasterComparison();
  comparison.diagnosis.emplace();
  EXPECT_THAT(ComparisonCounters(comparison), Not(Contains(Key("pairing_gain"))));
  comparison.diagnosis->pairing_gain_all = 5.03;
  EXPECT_THAT(ComparisonCounters(comparison), Contains(Pair("pairing_gain", 5.03)));
}

TEST(ComparisonCountersTest, ThereIsNoSkewBetweenTurns) {
  Comparison comparison = FasterComparison();
  comparison.schedule = Schedule::kInterleaved;
  EXPECT_THAT(ComparisonCounters(comparison), Not(Contains(Key("skew_ns"))));
}

TEST(ComparisonCountersTest, WhatIsNotFiniteIsLeftOut) {
  Comparison comparison = FasterComparison();
  comparison.interval = Interval(kNan, 0, HUGE_VAL);
  comparison.skew_p50_ns = -HUGE_VAL;
  EXPECT_THAT(ComparisonCounters(comparison),
              UnorderedElementsAre(Pair("ratio_lo", 0), Pair("ratio_level", 0.99), Pair("runs", 40),
                                   Pair("pairs", 18213), Pair("pairs_dropped", 12)));
}

}  // namespace
}  // namespace duetbench
