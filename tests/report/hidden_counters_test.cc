#include "duetbench/report/hidden_counters.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using benchmark::Counter;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;

TEST(HiddenCountersTest, ComeBackAsTheyWere) {
  Comparison comparison = FasterComparison();
  comparison.variants[1].counters = {{"bytes per second", 2e6,
                                      static_cast<uint32_t>(Counter::kIsRate | Counter::kInvert),
                                      Counter::kIs1024}};
  const auto hidden = DecodeHiddenCounters(EncodeHiddenCounters(comparison, 17, 15));
  ASSERT_TRUE(hidden.has_value());
  EXPECT_EQ(hidden->number, 17);
  EXPECT_EQ(hidden->group, 15);
  EXPECT_TRUE(hidden->has_numbers);
  EXPECT_EQ(hidden->ratio, 0.8);
  EXPECT_NEAR(hidden->real_seconds[0], 125e-9, 1e-18);
  EXPECT_NEAR(hidden->real_seconds[1], 100e-9, 1e-18);
  EXPECT_NEAR(hidden->cpu_seconds[0], 124e-9, 1e-18);
  EXPECT_THAT(hidden->counters[0], IsEmpty());
  ASSERT_THAT(hidden->counters[1], ElementsAre(Key("bytes per second")));
  const Counter& counter = hidden->counters[1].at("bytes per second");
  EXPECT_EQ(counter.value, 2e6);
  EXPECT_EQ(counter.flags, Counter::kIsRate | Counter::kInvert);
  EXPECT_EQ(counter.oneK, Counter::kIs1024);
}

// The library divides, multiplies and inverts by the flags when it finishes the row.
TEST(HiddenCountersTest, HaveNoFlagsThatTheLibraryWouldApply) {
  Comparison comparison = FasterComparison();
  comparison.variants[0].counters = {{"rate", 8, Counter::kIsRate, Counter::kIs1000}};
  for (const auto& [name, counter] : EncodeHiddenCounters(comparison, 1, 1)) {
    EXPECT_EQ(counter.flags, Counter::kDefaults) << name;
  }
}

TEST(HiddenCountersTest, OrdinaryRowsHaveNone) {
  EXPECT_FALSE(DecodeHiddenCounters({}).has_value());
  EXPECT_FALSE(DecodeHiddenCounters({{"duet_ratio", Counter(1)}}).has_value());
}

TEST(HiddenCountersTest, AFailedComparisonHasItsNumberOnly) {
  Comparison comparison;
  comparison.error.cause = "threw int";
  const auto hidden = DecodeHiddenCounters(EncodeHiddenCounters(comparison, 3, 3));
  ASSERT_TRUE(hidden.has_value());
  EXPECT_EQ(hidden->number, 3);
  EXPECT_FALSE(hidden->has_numbers);
}

TEST(HiddenCountersTest, WhatIsNotFiniteDoesNotComeBack) {
  Comparison comparison = FasterComparison();
  comparison.variants[0].counters = {{"apples", 0, 0, Counter::kIs1000}};
  benchmark::UserCounters counters = EncodeHiddenCounters(comparison, 1, 1);
  for (auto& [name, counter] : counters) {
    if (name != kComparisonKey) counter.value = std::numeric_limits<double>::quiet_NaN();
  }
  const auto hidden = DecodeHiddenCounters(counters);
  ASSERT_TRUE(hidden.has_value());
  EXPECT_EQ(hidden->ratio, 0);
  EXPECT_EQ(hidden->real_seconds[1], 0);
  EXPECT_THAT(hidden->counters[0], IsEmpty());
}

}  // namespace
}  // namespace duetbench
