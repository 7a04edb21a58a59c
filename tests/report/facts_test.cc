#include "duetbench/report/facts.h"

#include <cmath>
#include <limits>

#include "duetbench/report/comparison_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using ::testing::Contains;
using ::testing::DoubleEq;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(NumbersOf, AreTheNumbersOfTheComparison) {
  EXPECT_THAT(
      NumbersOf(FasterComparison()),
      UnorderedElementsAre(Pair("ratio", 0.8), Pair("ratio_lo", 0.79), Pair("ratio_hi", 0.81),
                           Pair("ratio_level", 0.99), Pair("runs", 40), Pair("pairs", 18213),
                           Pair("pairs_dropped", 12), Pair("schedule", 0), Pair("skew_ns", 8.5)));
}

TEST(NumbersOf, TellWhereTheTimeWent) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->time.wall_ns = 2e9;
  comparison.estimate()->time.kept_ns = 1.5e9;
  EXPECT_THAT(NumbersOf(comparison), Contains(Pair("wall_seconds", 2)));
  EXPECT_THAT(NumbersOf(comparison), Contains(Pair("kept_share", 0.75)));
}

TEST(NumbersOf, TellHowManyRunsWereOnASlowCore) {
  Comparison comparison = FasterComparison();
  EXPECT_THAT(NumbersOf(comparison), Not(Contains(Key("core_runs_left_out"))));
  comparison.estimate()->slow_core_runs = 3;
  EXPECT_THAT(NumbersOf(comparison), Contains(Pair("core_runs_left_out", 3)));
}

TEST(NumbersOf, TellHowTheVariantsDisturbEachOther) {
  Comparison comparison = FasterComparison();
  EXPECT_THAT(NumbersOf(comparison), Not(Contains(Key("ratio_solo"))));
  MutualDisturbance& disturbance = comparison.estimate()->mutual_disturbance.emplace();
  disturbance.ratio_alone = 0.5;
  disturbance.slowdown[1] = 1.75;
  EXPECT_THAT(NumbersOf(comparison), Contains(Pair("ratio_solo", 0.5)));
  EXPECT_THAT(NumbersOf(comparison), Contains(Pair("slowdown_concurrent_new", 1.75)));
}

TEST(NumbersOf, ThereIsNoSkewBetweenTurns) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->schedule = Schedule::kInterleaved;
  EXPECT_THAT(NumbersOf(comparison), Not(Contains(Key("skew_ns"))));
}

TEST(NumbersOf, WhatIsNotFiniteIsLeftOut) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->interval = Interval(std::numeric_limits<double>::quiet_NaN(), 0, HUGE_VAL);
  comparison.estimate()->skew_p50_ns = -HUGE_VAL;
  EXPECT_THAT(
      NumbersOf(comparison),
      UnorderedElementsAre(Pair("ratio_lo", 0), Pair("ratio_level", 0.99), Pair("runs", 40),
                           Pair("pairs", 18213), Pair("pairs_dropped", 12), Pair("schedule", 0)));
}

TEST(NumbersOf, ADryRunHasNone) { EXPECT_THAT(NumbersOf(DryRunComparison()), IsEmpty()); }

TEST(NumbersOf, TellWhatTheAddressesOfTheRunsDo) {
  Comparison comparison = FasterComparison();
  EXPECT_THAT(NumbersOf(comparison), Not(Contains(Key("far_off"))));
  EXPECT_THAT(NumbersOf(comparison), Not(Contains(Key("ratio_by_address_lo"))));
  comparison.estimate()->far_off = {1.3};
  comparison.estimate()->by_address = stats::RatioRange{0.52, 1.9};
  EXPECT_THAT(NumbersOf(comparison), IsSupersetOf({Pair("far_off", DoubleEq(1)),
                                                   Pair("ratio_by_address_lo", DoubleEq(0.52)),
                                                   Pair("ratio_by_address_hi", DoubleEq(1.9))}));
}

TEST(NumbersOf, EventsHaveWhatThereIs) {
  Numbers events;
  for (const auto& [key, value] : NumbersOf(CountingComparison())) {
    if (key.rfind("perf.", 0) == 0) events[key] = value;
  }
  EXPECT_EQ(events, (Numbers{{"perf.INSTRUCTIONS.old", 120},
                             {"perf.INSTRUCTIONS.new", 96},
                             {"perf.INSTRUCTIONS.ratio", 0.8},
                             {"perf.INSTRUCTIONS.ratio_lo", 0.79},
                             {"perf.PAGE-FAULTS.old", 0},
                             {"perf.PAGE-FAULTS.new", 1000},
                             {"perf.IPC.old", 3}}));
}

TEST(NumbersOf, QuantilesAndTheirGates) {
  Comparison comparison = FasterComparison();
  stats::QuantileRatio p99;
  p99.quantile = 0.99;
  p99.calls = 60'000;
  p99.interval = Interval(1.213, 1.18, 1.251);
  comparison.estimate()->quantiles = {p99};
  comparison.estimate()->gates = {
      MakeGate(GateSpec::MaxRatio(1.1, {"", 0.99}), GateStatus::kFail, p99.interval, 1e-6)};
  const Numbers numbers = NumbersOf(comparison);
  EXPECT_EQ(numbers.at("calls"), 60'000);
  EXPECT_EQ(numbers.at("gate.p99"), -1);
  EXPECT_EQ(numbers.at("gate_p.p99"), 1e-6);
  EXPECT_EQ(numbers.at("ratio_p99"), 1.213);
  EXPECT_EQ(numbers.at("ratio_p99_lo"), 1.18);
  EXPECT_EQ(numbers.at("ratio_p99_hi"), 1.251);
}

}  // namespace
}  // namespace duetbench
