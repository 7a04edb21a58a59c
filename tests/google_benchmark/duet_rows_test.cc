#include <cmath>
#include <string>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/google_benchmark/reports.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/google_benchmark/duets.h"

namespace duetbench {
namespace {

using Row = benchmark::BenchmarkReporter::Run;

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// --- The rows of a duet ---

TEST(DuetRowsTest, ADuetIsThreeRows) {
  const std::vector<ReportRow> rows = DuetRows("BM_A_vs_BM_B", FasterComparison());
  ASSERT_THAT(RowNames(rows), ElementsAre("BM_A_vs_BM_B/old", "BM_A_vs_BM_B/new", "BM_A_vs_BM_B"));
  EXPECT_EQ(rows[0].facts, nullptr);
  EXPECT_EQ(rows[1].facts, nullptr);
  EXPECT_EQ(rows[2].facts->effort, "40 runs");
}

TEST(DuetRowsTest, TheVariantComesBehindEverySuffixOfTheName) {
  DuetInstance instance = InstanceOf("f");
  instance.name.args = "64/n:8";
  instance.name.min_time = "min_time:0.500";
  instance.name.iterations = "iterations:10";
  instance.name.repetitions = "repeats:3";
  instance.name.time_type = "manual_time";
  const std::string name = instance.name.str();
  EXPECT_THAT(RowNames(RowsOf(instance, FasterComparison())),
              ElementsAre(name + "/old", name + "/new", name));
}

TEST(DuetRowsTest, ARowKnowsItsPlace) {
  DuetInstance instance = InstanceOf("f");
  instance.family = 3;
  instance.instance = 4;
  const std::vector<ReportRow> rows = RowsOf(instance, FasterComparison());
  ASSERT_THAT(rows, SizeIs(3));
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row run = rows[i].run;
    EXPECT_EQ(run.family_index, 3);
    EXPECT_EQ(run.per_family_instance_index, 4);
    EXPECT_EQ(run.repetition_index, 0);
    EXPECT_EQ(run.repetitions, 1);
    EXPECT_EQ(run.run_type, Row::RT_Iteration);
    EXPECT_EQ(run.threads, 1);
  }
}

TEST(DuetRowsTest, ARowHasTheThreadsOfEachVariant) {
  DuetInstance instance = InstanceOf("f");
  DuetSpec spec = *instance.spec;
  spec.threads = 4;
  instance.spec = &spec;
  for (const ReportRow& row : RowsOf(instance, FasterComparison())) {
    EXPECT_EQ(row.run.threads, 4);
  }
}

TEST(DuetRowsTest, ANameIsPrintable) {
  EXPECT_THAT(RowNames(DuetRows("two\nlines\xff", FasterComparison())),
              Contains("two lines\uFFFD/old"));
}

TEST(DuetRowsTest, AFailedComparisonIsAnErrorRow) {
  const std::vector<ReportRow> rows = DuetRows("a", FailedIn(1, 2, "threw \"int\"\nand more"));
  ASSERT_THAT(RowNames(rows), ElementsAre("a"));
  EXPECT_EQ(rows[0].facts, nullptr);
  EXPECT_TRUE(internal::HasError(rows[0].run));
  EXPECT_THAT(rows[0].run.counters, IsEmpty());
}

TEST(DuetRowsTest, ASkippedComparisonIsNoError) {
  const std::vector<ReportRow> rows = DuetRows("a", FailedIn(1, -1, "no data", /*skipped=*/true));
  ASSERT_THAT(RowNames(rows), ElementsAre("a"));
  EXPECT_FALSE(internal::HasError(rows[0].run));
}

// --- Times ---

TEST(DuetRowsTest, ShowTheTimesPerIterationAndTheVerdictThatOfNew) {
  const std::vector<ReportRow> rows = DuetRows("f", FasterComparison());
  const struct {
    double real_ns, cpu_ns;
    int64_t iterations;
  } expected[] = {{125, 124, 3000}, {100, 99, 3010}, {100, 99, 3010}};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(rows[i].run.GetAdjustedRealTime(), expected[i].real_ns, 1e-9);
    EXPECT_NEAR(rows[i].run.GetAdjustedCPUTime(), expected[i].cpu_ns, 1e-9);
    EXPECT_EQ(rows[i].run.iterations, expected[i].iterations);
  }
}

TEST(DuetRowsTest, TimesAreInTheUnitOfTheBenchmark) {
  DuetSpec spec;
  spec.unit = benchmark::kMicrosecond;
  DuetInstance instance = InstanceOf("f");
  instance.spec = &spec;
  EXPECT_NEAR(RowsOf(instance, FasterComparison())[0].run.GetAdjustedRealTime(), 0.125, 1e-12);
  spec.unit.reset();
  benchmark::SetDefaultTimeUnit(benchmark::kMillisecond);
  EXPECT_EQ(RowsOf(instance, FasterComparison())[0].run.time_unit, benchmark::kMillisecond);
  benchmark::SetDefaultTimeUnit(benchmark::kNanosecond);
}

TEST(DuetRowsTest, TimesAreFiniteWithoutIterations) {
  Comparison comparison = FasterComparison();
  comparison.iterations[0] = 0;
  const Row old_row = DuetRows("f", comparison)[0].run;
  EXPECT_TRUE(std::isfinite(old_row.GetAdjustedRealTime()));
  EXPECT_EQ(old_row.iterations, 1);
}

// --- Labels and counters ---

TEST(DuetRowsTest, HaveTheLabelsOfTheVariantsAndTheVerdict) {
  Comparison comparison = FasterComparison();
  comparison.variants[0].label = "the old\none\xff";
  const std::vector<ReportRow> rows = DuetRows("f", comparison);
  EXPECT_EQ(rows[0].run.report_label, "the old one\uFFFD") << "every report can hold it";
  EXPECT_EQ(rows[1].run.report_label, "");
  EXPECT_EQ(rows[2].run.report_label, "FASTER");
}

TEST(DuetRowsTest, HaveTheCountersOfEachVariant) {
  Comparison comparison = FasterComparison();
  comparison.variants[0].counters = {
      {"items_per_second", 1e6, benchmark::Counter::kIsRate, benchmark::Counter::kIs1000}};
  comparison.variants[1].counters = {
      {"bytes_per_second", 2e6, benchmark::Counter::kIsRate, benchmark::Counter::kIs1024}};
  const std::vector<ReportRow> rows = DuetRows("f", comparison);
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
  CounterComparison counted = MakeCounter("INSTRUCTIONS", 120, 96);
  counted.ratio = 0.8;
  CounterComparison missing = counted;
  missing.name = "CYCLES";
  missing.counted = false;
  comparison.counters = {counted, missing};
  const std::vector<ReportRow> rows = DuetRows("f", comparison);
  EXPECT_THAT(rows[0].run.counters, UnorderedElementsAre(Key("INSTRUCTIONS")))
      << "not counted is not 0";
  EXPECT_EQ(rows[0].run.counters.at("INSTRUCTIONS").value, 120);
  EXPECT_EQ(rows[1].run.counters.at("INSTRUCTIONS").value, 96);
  EXPECT_EQ(rows[2].run.counters.at("perf.INSTRUCTIONS.ratio").value, 0.8);
  EXPECT_EQ(rows[2].run.counters.count("INSTRUCTIONS"), 0u);
}

}  // namespace
}  // namespace duetbench
