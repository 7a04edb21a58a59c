#include "duetbench/report/comparison_counters.h"

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "duetbench/report/comparison_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(ComparisonCountersTest, AreTheNumbersOfTheComparison) {
  EXPECT_THAT(
      ComparisonCounters(FasterComparison()),
      UnorderedElementsAre(Pair("ratio", 0.8), Pair("ratio_lo", 0.79), Pair("ratio_hi", 0.81),
                           Pair("ratio_level", 0.99), Pair("runs", 40), Pair("pairs", 18213),
                           Pair("pairs_dropped", 12), Pair("schedule", 0), Pair("skew_ns", 8.5)));
}

TEST(ComparisonCountersTest, TellWhatPairingGained) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->diagnosis.emplace();
  EXPECT_THAT(ComparisonCounters(comparison), Not(Contains(Key("pairing_gain"))));
  comparison.estimate()->diagnosis->pairing_gain_all = 5.03;
  EXPECT_THAT(ComparisonCounters(comparison), Contains(Pair("pairing_gain", 5.03)));
}

TEST(ComparisonCountersTest, TellWhereTheTimeWent) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->time.wall_ns = 2e9;
  comparison.estimate()->time.kept_ns = 1.5e9;
  EXPECT_THAT(ComparisonCounters(comparison), Contains(Pair("wall_seconds", 2)));
  EXPECT_THAT(ComparisonCounters(comparison), Contains(Pair("kept_share", 0.75)));
}

TEST(ComparisonCountersTest, TellWhatTheSpeedProbeExplained) {
  Comparison comparison = FasterComparison();
  EXPECT_THAT(ComparisonCounters(comparison), Not(Contains(Key("core_explained"))));
  stats::CoreState& core = comparison.estimate()->core_state.emplace();
  core.explained = 0.95;
  core.slow_down = 1.8;
  core.ratio_at_fastest = 0.32;
  core.ratio_at_slowest = 0.41;
  const std::map<std::string, double> counters = ComparisonCounters(comparison);
  EXPECT_THAT(counters, Contains(Pair("core_explained", 0.95)));
  EXPECT_THAT(counters, Contains(Pair("core_slow_down", 1.8)));
  EXPECT_THAT(counters, Contains(Pair("ratio_core_fastest", 0.32)));
  EXPECT_THAT(counters, Contains(Pair("ratio_core_slowest", 0.41)));
}

TEST(ComparisonCountersTest, TellHowTheVariantsDisturbEachOther) {
  Comparison comparison = FasterComparison();
  EXPECT_THAT(ComparisonCounters(comparison), Not(Contains(Key("ratio_alone"))));
  MutualDisturbance& disturbance = comparison.estimate()->mutual_disturbance.emplace();
  disturbance.ratio_alone = 0.5;
  disturbance.slowdown[1] = 1.75;
  EXPECT_THAT(ComparisonCounters(comparison), Contains(Pair("ratio_alone", 0.5)));
  EXPECT_THAT(ComparisonCounters(comparison), Contains(Pair("slowdown_together_new", 1.75)));
}

TEST(ComparisonCountersTest, ThereIsNoSkewBetweenTurns) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->schedule = Schedule::kInterleaved;
  EXPECT_THAT(ComparisonCounters(comparison), Not(Contains(Key("skew_ns"))));
}

TEST(ComparisonCountersTest, WhatIsNotFiniteIsLeftOut) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->interval = Interval(std::numeric_limits<double>::quiet_NaN(), 0, HUGE_VAL);
  comparison.estimate()->skew_p50_ns = -HUGE_VAL;
  EXPECT_THAT(
      ComparisonCounters(comparison),
      UnorderedElementsAre(Pair("ratio_lo", 0), Pair("ratio_level", 0.99), Pair("runs", 40),
                           Pair("pairs", 18213), Pair("pairs_dropped", 12), Pair("schedule", 0)));
}

TEST(ComparisonCountersTest, ADryRunHasNone) {
  EXPECT_THAT(ComparisonCounters(DryRunComparison()), IsEmpty());
}

Estimate WithLayouts() {
  Estimate estimate;
  estimate.interval = Interval(1.001, 0.998, 1.004);
  stats::LayoutSpread layouts;
  layouts.layouts = 8;
  layouts.own_effect = std::log(1.012);
  layouts.layout_sd = 0.009;
  layouts.run_sd = 0.002;
  estimate.layouts = layouts;
  return estimate;
}

TEST(LayoutLine, DividesTheRatioIntoCodeAndLayout) {
  EXPECT_EQ(LayoutLine(WithLayouts()),
            "code +0.1 ± 0.3 %, this layout adds +1.2 %; spread between layouts 0.9 %, between the "
            "runs of one 0.2 %");
}

TEST(LayoutLine, LeavesOutWhatIsNotKnown) {
  Estimate estimate = WithLayouts();
  estimate.layouts->own_effect.reset();
  estimate.layouts->layout_sd.reset();
  estimate.layouts->run_sd.reset();
  EXPECT_EQ(LayoutLine(estimate), "code +0.1 ± 0.3 %");
}

TEST(LayoutLine, IsEmptyForOneLayout) {
  EXPECT_EQ(LayoutLine(Estimate()), "");
  EXPECT_THAT(LayoutKeys(Estimate()), IsEmpty());
}

TEST(LayoutKeys, HasTheSameNumbers) {
  EXPECT_THAT(LayoutKeys(WithLayouts()),
              UnorderedElementsAre(Pair("layouts", 8),
                                   Pair("layout_effect", ::testing::DoubleNear(0.012, 1e-12)),
                                   Pair("layout_spread", 0.009), Pair("run_spread", 0.002)));
}

}  // namespace
}  // namespace duetbench
