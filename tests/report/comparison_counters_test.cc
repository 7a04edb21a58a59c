#include "duetbench/report/comparison_counters.h"

#include <cmath>
#include <limits>

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

}  // namespace
}  // namespace duetbench
