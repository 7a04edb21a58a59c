#include "duetbench/report/suite_facts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;

TEST(FactsOf, SayWhatTheConsoleSays) {
  const SuiteFacts suite = FactsOf({Failing("a"), Passing("b")});
  EXPECT_EQ(suite.program, "bench");
  EXPECT_EQ(suite.headline, "1 of 2 gates failed");
  EXPECT_THAT(suite.header, ElementsAre("CPUs 0 and 1", "warning"));
  ASSERT_EQ(suite.duets.size(), 2U);
  const Facts& failing = suite.duets[0];
  EXPECT_EQ(failing.name, "a");
  EXPECT_EQ(failing.gate, GateStatus::kFail);
  EXPECT_EQ(failing.gate_limit, "limit 1.05 ×");
  EXPECT_DOUBLE_EQ(failing.allowed_hi, 1.05);
  EXPECT_EQ(failing.verdict, stats::Verdict::kSlower);
  EXPECT_EQ(failing.meaning, "1.060 to 1.080 ×, all above the limit");
  EXPECT_EQ(failing.repeat, "./bench '--benchmark_filter=^a$' --duet_seed=7");
  EXPECT_EQ(suite.duets[1].gate, GateStatus::kPass);
}

TEST(FactsOf, WhatHasNoGateOrNoResult) {
  const std::vector<Facts> duets =
      FactsOf({Ungated("a"), Undecided("b"), Broken("c"), NotMeasured("d")}).duets;
  EXPECT_EQ(duets[0].gate, GateStatus::kNoGate);
  EXPECT_EQ(duets[0].allowed_hi, 0);
  EXPECT_EQ(duets[1].gate, GateStatus::kInconclusive);
  EXPECT_EQ(duets[2].gate, GateStatus::kError);
  EXPECT_EQ(duets[2].error, "new threw std::runtime_error: <no> \"file\" (in run 3)");
  EXPECT_EQ(duets[3].gate, GateStatus::kNotMeasured);
  EXPECT_EQ(duets[3].error, "new skipped: this machine has no abacus (in run 3)");
}

TEST(FactsOf, HaveTheRunsWithoutWeightsUnlessTotalsDecide) {
  std::vector<SuiteEntry> suite = {Passing("a")};
  Estimate& estimate = *suite[0].comparison.estimate();
  estimate.run_log_ratios = {0.1, 0.2};
  estimate.typical_log_ratios = {0.3, 0.4};
  EXPECT_EQ(FactsOf(suite).duets[0].run_log_ratios, (std::vector<double>{0.3, 0.4}));
  estimate.total_decides = true;
  estimate.total = stats::TotalRatio{};
  EXPECT_EQ(FactsOf(suite).duets[0].run_log_ratios, (std::vector<double>{0.1, 0.2}));
}

TEST(FactsOf, HaveQuantilesWithTheirGates) {
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
  const Facts shown = FactsOf({entry}).duets[0];
  EXPECT_EQ(shown.gate, GateStatus::kFail);
  ASSERT_EQ(shown.quantiles.size(), 2u);
  EXPECT_EQ(shown.quantiles[0].name, "p50");
  EXPECT_FALSE(shown.quantiles[0].interval.has_value());
  EXPECT_EQ(shown.quantiles[0].gap, "too few runs for 2 quantiles at once, 5 of 10 needed");
  EXPECT_EQ(shown.quantiles[0].gate, GateStatus::kNoGate);
  EXPECT_EQ(shown.quantiles[1].interval->hi, 1.251);
  EXPECT_EQ(shown.quantiles[1].time_ns[1], 1850);
  EXPECT_EQ(shown.quantiles[1].gate, GateStatus::kFail);
  EXPECT_EQ(shown.quantiles[1].gate_limit, "limit 1.1 ×");
  EXPECT_EQ(shown.quantiles[1].allowed_hi, 1.1);
}

TEST(FactsOf, CountersOfEventsAndOfVariantsHaveARowEach) {
  SuiteEntry entry = Ungated("a");
  entry.comparison = CountingComparison();
  std::string rows;
  const SuiteFacts shown = FactsOf({entry});
  for (const Facts::Counter& row : shown.duets[0].counters) {
    rows += row.name + "|" + row.old_value + "|" + row.new_value + "|" + row.ratio + "\n";
  }
  EXPECT_EQ(rows,
            "INSTRUCTIONS|120|96|0.8 x\n"
            "PAGE-FAULTS|0|1000|\n"
            "steps||7|\n");
}

}  // namespace
}  // namespace duetbench
