#include "duetbench/stats/ratio_format.h"

#include <cmath>
#include <string>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

using stats::Verdict;

stats::RatioInterval Interval(double ratio, double lo, double hi) {
  return {ratio, lo, hi, 0.99, stats::IntervalKind::kT, ""};
}

TEST(RatioText, HasTheDigitsThatTheIntervalJustifies) {
  EXPECT_EQ(RatioText(Interval(0.7971, 0.75, 0.85)), "0.797 x");
  EXPECT_EQ(RatioText(Interval(0.79712, 0.7961, 0.7981)), "0.7971 x");
  EXPECT_EQ(RatioText(Interval(1, 1, 1)), "1.000 x");
}

TEST(RatioText, KeepsSmallRatiosApartFromZero) {
  EXPECT_EQ(RatioText(Interval(0.000123456, 0.0001, 0.0002)), "0.000123 x");
  EXPECT_EQ(IntervalText(Interval(0.1, 0.0004, 2)), "[0.0004, 2.000]");
  EXPECT_EQ(IntervalText(Interval(0.1, 0, HUGE_VAL)), "[0, inf]");
}

// The t quantile of two runs that were disturbed.
TEST(RatioText, LargeRatiosHaveNoMoreDigitsThanOneCanRead) {
  EXPECT_EQ(RatioText(Interval(999.9994, 900, 1100)), "999.999 x");
  EXPECT_EQ(RatioText(Interval(1234.5678, 900, 1400)), "1235 x");
  EXPECT_EQ(IntervalText(Interval(1.375, 2.58e-13, 7326379447341.055)), "[2.58e-13, 7.33e+12]");
}

TEST(ChangeText, IsWhatAReaderWouldSay) {
  EXPECT_EQ(ChangeText(0.797), "20.3 % less time");
  EXPECT_EQ(ChangeText(1.0345), "3.45 % more time");
  EXPECT_EQ(ChangeText(2.014), "2.01 times as long");
  EXPECT_EQ(ChangeText(1234.5), "1234 times as long");
  EXPECT_EQ(ChangeText(2e6), "more than a million times as long");
  EXPECT_EQ(ChangeText(HUGE_VAL), "any number of times as long");
  EXPECT_EQ(ChangeText(0.0006), "99.9 % less time");
  EXPECT_EQ(ChangeText(0.0004), "more than 99.9 % less time");
}

TEST(VerdictSentence, SaysWhatTheVerdictMeans) {
  EXPECT_EQ(VerdictSentence(Interval(0.797, 0.795, 0.799), Verdict::kFaster, 0.01),
            "FASTER: new takes 20.3 % less time");
  EXPECT_EQ(VerdictSentence(Interval(0.25, 0.24, 0.26), Verdict::kFaster, 0.01),
            "FASTER: new is 4.00 times as fast");
  EXPECT_EQ(VerdictSentence(Interval(2.01, 2, 2.02), Verdict::kSlower, 0.01),
            "SLOWER: new takes 2.01 times as long");
  EXPECT_EQ(VerdictSentence(Interval(1, 0.999, 1.001), Verdict::kEqual, 0.02), "EQUAL: within 2 %");
  EXPECT_EQ(VerdictSentence(Interval(1, 0.979, 1.034), Verdict::kInconclusive, 0.01),
            "INCONCLUSIVE: from 2.10 % less time to 3.40 % more time");
  EXPECT_EQ(VerdictSentence(Interval(1, 0, HUGE_VAL), Verdict::kInconclusive, 0.01),
            "INCONCLUSIVE: so few runs do not bound the ratio");
  EXPECT_EQ(VerdictSentence(Interval(1, 3e-13, 7e12), Verdict::kInconclusive, 0.01),
            "INCONCLUSIVE: so few runs hardly bound the ratio");
  EXPECT_EQ(VerdictSentence(Interval(1e-4, 0.9e-4, 1.1e-4), Verdict::kFaster, 0.01),
            "FASTER: new is 10000 times as fast");
}

}  // namespace
}  // namespace duetbench
