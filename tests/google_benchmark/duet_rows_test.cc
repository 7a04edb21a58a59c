#include "duetbench/google_benchmark/duet_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "duetbench/google_benchmark/versions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/google_benchmark/duets.h"

namespace duetbench {
namespace {

using Row = benchmark::BenchmarkReporter::Run;
using Kind = ReportRow::Kind;

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// --- A repetition ---

TEST(DuetRowsTest, ARepetitionIsThreeRows) {
  const std::vector<ReportRow> rows = RepetitionRows("BM_A_vs_BM_B", FasterComparison());
  ASSERT_THAT(RowNames(rows), ElementsAre("BM_A_vs_BM_B/old", "BM_A_vs_BM_B/new", "BM_A_vs_BM_B"));
  EXPECT_EQ(rows[0].kind, Kind::kPlain);
  EXPECT_EQ(rows[1].kind, Kind::kPlain);
  EXPECT_EQ(rows[2].kind, Kind::kVerdict);
  EXPECT_EQ(rows[2].comparison->estimate()->runs, 40);
}

TEST(DuetRowsTest, TheVariantComesBehindEverySuffixOfTheName) {
  DuetInstance instance = InstanceOf("f");
  instance.name.args = "64/n:8";
  instance.name.min_time = "min_time:0.500";
  instance.name.iterations = "iterations:10";
  instance.name.repetitions = "repeats:3";
  instance.name.time_type = "manual_time";
  const std::string name = instance.name.str();
  EXPECT_THAT(RowNames(RowsOf(instance, {FasterComparison()}).repetitions),
              ElementsAre(name + "/old", name + "/new", name));
}

TEST(DuetRowsTest, ARowKnowsItsPlace) {
  DuetInstance instance = InstanceOf("f", 2);
  instance.family = 3;
  instance.instance = 4;
  const std::vector<ReportRow> rows =
      RowsOf(instance, {FasterComparison(), FasterComparison()}).repetitions;
  ASSERT_THAT(rows, SizeIs(6));
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row run = rows[i].run;
    EXPECT_EQ(run.family_index, 3);
    EXPECT_EQ(run.per_family_instance_index, 4);
    EXPECT_EQ(run.repetition_index, static_cast<int>(i / 3));
    EXPECT_EQ(run.repetitions, 2);
    EXPECT_EQ(run.run_type, Row::RT_Iteration);
    EXPECT_EQ(run.threads, 1);
  }
}

TEST(DuetRowsTest, ARowHasTheThreadsOfEachVariant) {
  DuetInstance instance = InstanceOf("f");
  DuetSpec spec = *instance.spec;
  spec.threads = 4;
  instance.spec = &spec;
  for (const ReportRow& row : RowsOf(instance, {FasterComparison()}).repetitions) {
    EXPECT_EQ(row.run.threads, 4);
  }
}

TEST(DuetRowsTest, ANameIsPrintable) {
  EXPECT_THAT(RowNames(RepetitionRows("two\nlines\xff", FasterComparison())),
              Contains("two lines\uFFFD/old"));
}

TEST(DuetRowsTest, AFailedComparisonIsAnErrorRow) {
  const std::vector<ReportRow> rows =
      RepetitionRows("a", FailedIn(1, 2, "threw \"int\"\nand more"));
  ASSERT_THAT(RowNames(rows), ElementsAre("a"));
  EXPECT_EQ(rows[0].kind, Kind::kPlain);
  EXPECT_TRUE(internal::HasError(rows[0].run, 0));
  EXPECT_THAT(rows[0].run.counters, IsEmpty());
}

TEST(DuetRowsTest, ASkippedComparisonIsNoError) {
  const std::vector<ReportRow> rows =
      RepetitionRows("a", FailedIn(1, -1, "no data", /*skipped=*/true));
  ASSERT_THAT(RowNames(rows), ElementsAre("a"));
  EXPECT_FALSE(internal::HasError(rows[0].run, 0));
}

// --- Times ---

TEST(DuetRowsTest, ShowTheTimesPerIteration) {
  const std::vector<ReportRow> rows = RepetitionRows("f", FasterComparison());
  EXPECT_NEAR(rows[0].run.GetAdjustedRealTime(), 125, 1e-9);
  EXPECT_NEAR(rows[0].run.GetAdjustedCPUTime(), 124, 1e-9);
  EXPECT_EQ(rows[0].run.iterations, 3000);
  EXPECT_NEAR(rows[1].run.GetAdjustedRealTime(), 100, 1e-9);
  EXPECT_NEAR(rows[1].run.GetAdjustedCPUTime(), 99, 1e-9);
  EXPECT_EQ(rows[1].run.iterations, 3010);
}

TEST(DuetRowsTest, TheVerdictHasTheTimeOfNew) {
  const Row verdict = RepetitionRows("f", FasterComparison())[2].run;
  EXPECT_NEAR(verdict.GetAdjustedRealTime(), 100, 1e-9);
  EXPECT_EQ(verdict.iterations, 3010);
}

TEST(DuetRowsTest, TimesAreInTheUnitOfTheBenchmark) {
  DuetSpec spec;
  spec.unit = benchmark::kMicrosecond;
  DuetInstance instance = InstanceOf("f");
  instance.spec = &spec;
  EXPECT_NEAR(RowsOf(instance, {FasterComparison()}).repetitions[0].run.GetAdjustedRealTime(),
              0.125, 1e-12);
  spec.unit.reset();
  benchmark::SetDefaultTimeUnit(benchmark::kMillisecond);
  EXPECT_EQ(RowsOf(instance, {FasterComparison()}).repetitions[0].run.time_unit,
            benchmark::kMillisecond);
  benchmark::SetDefaultTimeUnit(benchmark::kNanosecond);
}

TEST(DuetRowsTest, TimesAreFiniteWithoutIterations) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->iterations[0] = 0;
  const Row old_row = RepetitionRows("f", comparison)[0].run;
  EXPECT_TRUE(std::isfinite(old_row.GetAdjustedRealTime()));
  EXPECT_EQ(old_row.iterations, 1);
}

// --- Labels and counters ---

TEST(DuetRowsTest, HaveTheLabelsOfTheVariantsAndTheVerdict) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->variants[0].label = "the old\none\xff";
  const std::vector<ReportRow> rows = RepetitionRows("f", comparison);
  EXPECT_EQ(rows[0].run.report_label, "the old one\uFFFD") << "every report can hold it";
  EXPECT_EQ(rows[1].run.report_label, "");
  EXPECT_EQ(rows[2].run.report_label, "FASTER");
}

TEST(DuetRowsTest, NameEveryVerdict) {
  const std::pair<stats::Verdict, const char*> kVerdicts[] = {
      {stats::Verdict::kFaster, "FASTER"},
      {stats::Verdict::kSlower, "SLOWER"},
      {stats::Verdict::kEqual, "EQUAL"},
      {stats::Verdict::kInconclusive, "INCONCLUSIVE"}};
  for (const auto& [verdict, name] : kVerdicts) {
    EXPECT_EQ(RepetitionRows("f", WithVerdict(verdict, Interval(1, 1, 1)))[2].run.report_label,
              name);
  }
}

TEST(DuetRowsTest, HaveTheCountersOfEachVariant) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->variants[0].counters = {
      {"items_per_second", 1e6, benchmark::Counter::kIsRate, benchmark::Counter::kIs1000}};
  comparison.estimate()->variants[1].counters = {
      {"bytes_per_second", 2e6, benchmark::Counter::kIsRate, benchmark::Counter::kIs1024}};
  const std::vector<ReportRow> rows = RepetitionRows("f", comparison);
  ASSERT_THAT(rows[0].run.counters, UnorderedElementsAre(Key("items_per_second")));
  const benchmark::Counter& items = rows[0].run.counters.at("items_per_second");
  EXPECT_EQ(items.value, 1e6);
  EXPECT_EQ(items.flags, benchmark::Counter::kIsRate);
  EXPECT_EQ(items.oneK, benchmark::Counter::kIs1000);
  ASSERT_THAT(rows[1].run.counters, UnorderedElementsAre(Key("bytes_per_second")));
  EXPECT_EQ(rows[1].run.counters.at("bytes_per_second").oneK, benchmark::Counter::kIs1024);
}

TEST(DuetRowsTest, HaveTheEventsOfEachVariant) {
  Comparison comparison = FasterComparison();
  CounterComparison counted;
  counted.name = "INSTRUCTIONS";
  counted.requested = counted.counted = true;
  counted.per_iteration[0] = 120;
  counted.per_iteration[1] = 96;
  counted.ratio = 0.8;
  CounterComparison missing = counted;
  missing.name = "CYCLES";
  missing.counted = false;
  comparison.estimate()->counters.counters = {counted, missing};
  const std::vector<ReportRow> rows = RepetitionRows("f", comparison);
  EXPECT_THAT(rows[0].run.counters, UnorderedElementsAre(Key("INSTRUCTIONS")))
      << "not counted is not 0";
  EXPECT_EQ(rows[0].run.counters.at("INSTRUCTIONS").value, 120);
  EXPECT_EQ(rows[1].run.counters.at("INSTRUCTIONS").value, 96);
  EXPECT_EQ(rows[2].run.counters.at("perf.INSTRUCTIONS.ratio").value, 0.8);
  EXPECT_EQ(rows[2].run.counters.count("INSTRUCTIONS"), 0u);
}

// --- Statistics over repetitions ---

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

// --- Complexity ---

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
