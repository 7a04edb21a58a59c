#include <string>
#include <vector>

#include "duetbench/report/suite_formats.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

page::ShownSuite PageOf(const std::vector<SuiteEntry>& suite) {
  const std::vector<GateStatus> statuses = GateStatuses(suite);
  return SuitePage(suite, statuses, SummarizeSuite(suite, statuses), "bench",
                   {"duetbench: CPUs 0 and 1", "warning"}, SeparateCores());
}

TEST(SuitePage, SaysWhatTheConsoleSays) {
  const page::ShownSuite shown = PageOf({Failing("a"), Passing("b")});
  EXPECT_EQ(shown.title, "bench");
  EXPECT_EQ(shown.headline, "1 of 2 gates failed");
  EXPECT_THAT(shown.header, ElementsAre("CPUs 0 and 1", "warning"));
  ASSERT_EQ(shown.benchmarks.size(), 2u);
  const page::ShownBenchmark& failing = shown.benchmarks[0];
  EXPECT_EQ(failing.name, "a");
  EXPECT_EQ(failing.gate, page::GateMark::kFail);
  EXPECT_EQ(failing.gate_name, "FAIL");
  EXPECT_EQ(failing.gate_limit, "limit 1.05 ×");
  EXPECT_DOUBLE_EQ(failing.allowed_hi, 1.05);
  EXPECT_EQ(failing.verdict, stats::Verdict::kSlower);
  EXPECT_EQ(failing.source, "bench/parse.cc:12");
  EXPECT_EQ(failing.repeat, "./bench '--benchmark_filter=^a$' --duet_seed=7");
  ASSERT_FALSE(failing.notes.empty());
  EXPECT_THAT(failing.notes[0], HasSubstr("FAIL a: "));
  EXPECT_EQ(shown.benchmarks[1].gate, page::GateMark::kPass);
}

TEST(SuitePage, MarksWhatHasNoGateOrNoResult) {
  const page::ShownSuite shown =
      PageOf({Ungated("a"), Undecided("b"), Broken("c"), NotMeasured("d")});
  EXPECT_EQ(shown.benchmarks[0].gate, page::GateMark::kNone);
  EXPECT_EQ(shown.benchmarks[0].allowed_hi, 0);
  EXPECT_EQ(shown.benchmarks[1].gate, page::GateMark::kUndecided);
  EXPECT_EQ(shown.benchmarks[2].gate, page::GateMark::kError);
  EXPECT_THAT(shown.benchmarks[2].error, HasSubstr("threw std::runtime_error"));
  EXPECT_EQ(shown.benchmarks[3].gate, page::GateMark::kUndecided);
  EXPECT_THAT(shown.benchmarks[3].error, HasSubstr("abacus"));
}

TEST(SuitePage, ShowsTheRunsWithoutWeightsUnlessTotalsDecide) {
  std::vector<SuiteEntry> suite = {Passing("a")};
  Estimate& estimate = *suite[0].comparison.estimate();
  estimate.run_log_ratios = {0.1, 0.2};
  estimate.typical_log_ratios = {0.3, 0.4};
  EXPECT_EQ(PageOf(suite).benchmarks[0].run_log_ratios, (std::vector<double>{0.3, 0.4}));
  estimate.total_decides = true;
  EXPECT_EQ(PageOf(suite).benchmarks[0].run_log_ratios, (std::vector<double>{0.1, 0.2}));
}

TEST(SuitePage, ShowsQuantilesWithTheirGates) {
  SuiteEntry entry = Ungated("a");
  stats::QuantileRatio p99;
  p99.quantile = 0.99;
  p99.interval = Interval(1.213, 1.18, 1.251);
  p99.time[0] = 1520;
  p99.time[1] = 1850;
  stats::QuantileRatio p50;
  p50.quantile = 0.5;
  p50.runs = 5;
  p50.runs_needed = 10;
  entry.comparison.estimate()->quantiles = {p99, p50};
  entry.comparison.estimate()->gates = {
      MakeGate(GateSpec::MaxRatio(1.1, {"", 0.99}), GateStatus::kFail, p99.interval, 1e-6)};
  const page::ShownBenchmark shown = PageOf({entry}).benchmarks[0];
  EXPECT_EQ(shown.gate, page::GateMark::kFail);
  ASSERT_EQ(shown.quantiles.size(), 2u);
  EXPECT_EQ(shown.quantiles[0].name, "p50");
  EXPECT_FALSE(shown.quantiles[0].interval.has_value());
  EXPECT_EQ(shown.quantiles[0].gap, "too few runs, 5 of 10 needed");
  EXPECT_EQ(shown.quantiles[0].gate, page::GateMark::kNone);
  EXPECT_EQ(shown.quantiles[1].interval->hi, 1.251);
  EXPECT_EQ(shown.quantiles[1].time_ns[1], 1850);
  EXPECT_EQ(shown.quantiles[1].gate, page::GateMark::kFail);
  EXPECT_EQ(shown.quantiles[1].gate_name, "FAIL");
  EXPECT_EQ(shown.quantiles[1].gate_limit, "limit 1.1 ×");
  EXPECT_EQ(shown.quantiles[1].allowed_hi, 1.1);
}

TEST(SuitePage, CountersOfEventsAndOfVariantsHaveARowEach) {
  SuiteEntry entry = Ungated("a");
  entry.comparison = CountingComparison();
  std::string rows;
  const page::ShownSuite shown = PageOf({entry});
  for (const page::ShownCounter& row : shown.benchmarks[0].counters) {
    rows += row.name + "|" + row.old_value + "|" + row.new_value + "|" + row.ratio + "\n";
  }
  EXPECT_EQ(rows,
            "INSTRUCTIONS|120|96|0.8 x\n"
            "IPC|3||\n"
            "PAGE-FAULTS|0|1000|\n"
            "steps||7|\n");
}

}  // namespace
}  // namespace duetbench
