#include "duetbench/report/suite_facts.h"

#include <cmath>
#include <limits>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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
  Comparison& comparison = suite[0].comparison;
  comparison.run_log_ratios = {0.1, 0.2};
  comparison.typical_log_ratios = {0.3, 0.4};
  EXPECT_EQ(FactsOf(suite).duets[0].run_log_ratios, (std::vector<double>{0.3, 0.4}));
  comparison.total_decides = true;
  comparison.total = stats::TotalRatio{};
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
  entry.comparison.quantiles = {p99, p50};
  entry.comparison.gates = {
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

TEST(NumbersOf, AreTheNumbersOfTheComparison) {
  EXPECT_EQ(NumbersOf(FasterComparison()), (Numbers{{"ratio", 0.8},
                                                    {"ratio_lo", 0.79},
                                                    {"ratio_hi", 0.81},
                                                    {"ratio_level", 0.99},
                                                    {"runs", 40},
                                                    {"pairs", 18213},
                                                    {"pairs_dropped", 12},
                                                    {"schedule", 0}}));
}

// All that a comparison may have beside those.
TEST(NumbersOf, TellAllThatIsKnown) {
  Comparison comparison = CountingComparison();
  comparison.wall_s = 2.5;
  comparison.schedule = Schedule::kInterleaved;
  comparison.time.wall_ns = 2e9;
  comparison.time.kept_ns = 1.5e9;
  comparison.slow_core_runs = 3;
  MutualDisturbance& disturbance = comparison.mutual_disturbance.emplace();
  disturbance.ratio_solo = 0.5;
  disturbance.ratio_together = 0.6;
  comparison.far_off = {1.3};
  comparison.by_address = stats::RatioRange{0.52, 1.9};
  stats::QuantileRatio p99;
  p99.quantile = 0.99;
  p99.calls = 60'000;
  p99.interval = Interval(1.213, 1.18, 1.251);
  comparison.quantiles = {p99};
  GateResult of_time = MakeGate(GateSpec::MinRatio(0.5), GateStatus::kPass, comparison.interval);
  comparison.gates = {of_time, MakeGate(GateSpec::MaxRatio(1.1, {"", 0.99}), GateStatus::kFail,
                                        p99.interval, 1e-6)};
  Numbers numbers = NumbersOf(comparison);
  for (const auto& [name, value] : NumbersOf(FasterComparison())) numbers.erase(name);
  EXPECT_EQ(numbers, (Numbers{{"calls", 60'000},
                              {"core_runs_left_out", 3},
                              {"far_off", 1},
                              {"gate", 1},
                              {"gate.p99", -1},
                              {"gate_lo", 0.5},
                              {"gate_looks", 1},
                              {"gate_p", 1},
                              {"gate_p.p99", 1e-6},
                              {"gate_seconds", 2.5},
                              {"kept_share", 0.75},
                              {"perf.INSTRUCTIONS.new", 96},
                              {"perf.INSTRUCTIONS.old", 120},
                              {"perf.INSTRUCTIONS.ratio", 0.8},
                              {"perf.INSTRUCTIONS.ratio_lo", 0.79},
                              {"perf.PAGE-FAULTS.new", 1000},
                              {"perf.PAGE-FAULTS.old", 0},
                              {"ratio_by_address_hi", 1.9},
                              {"ratio_by_address_lo", 0.52},
                              {"ratio_concurrent", 0.6},
                              {"ratio_p99", 1.213},
                              {"ratio_p99_hi", 1.251},
                              {"ratio_p99_lo", 1.18},
                              {"ratio_solo", 0.5},
                              {"wall_seconds", 2}}));
}

TEST(NumbersOf, WhatIsNotFiniteIsLeftOut) {
  Comparison comparison = FasterComparison();
  comparison.interval = Interval(std::numeric_limits<double>::quiet_NaN(), 0, HUGE_VAL);
  EXPECT_EQ(NumbersOf(comparison), (Numbers{{"ratio_lo", 0},
                                            {"ratio_level", 0.99},
                                            {"runs", 40},
                                            {"pairs", 18213},
                                            {"pairs_dropped", 12},
                                            {"schedule", 0}}));
}

TEST(NumbersOf, ADryRunHasNone) { EXPECT_THAT(NumbersOf(DryRunComparison()), IsEmpty()); }

// A run of ten pairs in which new takes `ratio` times as long: 2 ticks a ns, 4 iterations.
RunResult RunWithRatio(double ratio) {
  RunResult run;
  for (int i = 0; i < 10; ++i) {
    PairRecord pair{};
    pair.ticks[0] = 800 + i;
    pair.ticks[1] = pair.ticks[0] * ratio;
    pair.iterations[0] = pair.iterations[1] = 4;
    pair.cpu_ns[0] = pair.cpu_ns[1] = 40;
    run.pairs.push_back(pair);
  }
  return run;
}

TEST(PictureOfMiddleRun, ShowsTheRunInTheMiddle) {
  Comparison result;
  result.results = {RunWithRatio(3), RunWithRatio(1), RunWithRatio(2)};
  RunResult& middle = result.results[2];
  middle.pairs[1].flags = kOldPreempted;
  middle.pairs[2].flags = kNoTime;
  middle.pairs[3].flags = kSolo;
  const RunPicture picture = PictureOfMiddleRun(result, 0.5);
  EXPECT_EQ(picture.run, 2u);
  EXPECT_EQ(picture.pairs, 8u) << "without the pair without time and the solo one";
  EXPECT_EQ(picture.disturbed, 1u);
  EXPECT_TRUE(picture.shown[1].disturbed);
  EXPECT_DOUBLE_EQ(picture.shown[0].time[0], 100);
  EXPECT_DOUBLE_EQ(picture.shown[0].time[1], 200);

  result.cpu_time = true;
  EXPECT_DOUBLE_EQ(PictureOfMiddleRun(result, 0.5).shown[0].time[1], 10);
}

TEST(PictureOfMiddleRun, IsEmptyWithoutARatio) {
  Comparison result = FailedComparison("threw int");
  result.results = {RunWithRatio(1)};
  EXPECT_TRUE(PictureOfMiddleRun(result, 1).shown.empty());
}

TEST(PictureOfRun, KeepsEveryStepthPairAndAllDisturbances) {
  std::vector<ShownPair> pairs(10);
  for (int i = 0; i < 10; ++i) pairs[i].time[0] = i;
  pairs[5].disturbed = true;
  const RunPicture picture = PictureOfRun(3, pairs, 4);
  EXPECT_EQ(picture.run, 3u);
  EXPECT_EQ(picture.pairs, 10u);
  EXPECT_EQ(picture.disturbed, 1u);
  EXPECT_EQ(picture.step, 3u);
  ASSERT_EQ(picture.shown.size(), 4u);
  EXPECT_EQ(picture.shown[1].time[0], 3);
  EXPECT_TRUE(picture.shown[1].disturbed) << "pair 5 is not shown";
  EXPECT_FALSE(picture.shown[2].disturbed);
  EXPECT_EQ(PictureOfRun(0, pairs, 10).step, 1u);
  EXPECT_TRUE(PictureOfRun(0, {}, 10).shown.empty());
}

}  // namespace
}  // namespace duetbench
