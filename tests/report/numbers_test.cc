#include <cmath>
#include <limits>

#include "duetbench/report/suite_facts.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using ::testing::IsEmpty;

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
  Estimate& estimate = *comparison.estimate();
  estimate.schedule = Schedule::kInterleaved;
  estimate.time.wall_ns = 2e9;
  estimate.time.kept_ns = 1.5e9;
  estimate.slow_core_runs = 3;
  MutualDisturbance& disturbance = estimate.mutual_disturbance.emplace();
  disturbance.ratio_alone = 0.5;
  disturbance.ratio_together = 0.6;
  estimate.far_off = {1.3};
  estimate.by_address = stats::RatioRange{0.52, 1.9};
  stats::QuantileRatio p99;
  p99.quantile = 0.99;
  p99.calls = 60'000;
  p99.interval = Interval(1.213, 1.18, 1.251);
  estimate.quantiles = {p99};
  GateResult of_time = MakeGate(GateSpec::MinRatio(0.5), GateStatus::kPass, estimate.interval);
  estimate.gates = {of_time, MakeGate(GateSpec::MaxRatio(1.1, {"", 0.99}), GateStatus::kFail,
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
  comparison.estimate()->interval = Interval(std::numeric_limits<double>::quiet_NaN(), 0, HUGE_VAL);
  EXPECT_EQ(NumbersOf(comparison), (Numbers{{"ratio_lo", 0},
                                            {"ratio_level", 0.99},
                                            {"runs", 40},
                                            {"pairs", 18213},
                                            {"pairs_dropped", 12},
                                            {"schedule", 0}}));
}

TEST(NumbersOf, ADryRunHasNone) { EXPECT_THAT(NumbersOf(DryRunComparison()), IsEmpty()); }

}  // namespace
}  // namespace duetbench
