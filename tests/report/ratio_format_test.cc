#include <cmath>

#include "duetbench/report/text.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using stats::Verdict;

TEST(RatioText, HasTheDigitsThatTheIntervalJustifies) {
  EXPECT_EQ(RatioText(Interval(0.7971, 0.75, 0.85)), "0.797 x");
  EXPECT_EQ(RatioText(Interval(0.79712, 0.7961, 0.7981)), "0.7971 x");
  EXPECT_EQ(RatioText(Interval(1, 1, 1)), "1.000 x");
}

TEST(RatioText, KeepsSmallRatiosApartFromZero) {
  EXPECT_EQ(RatioText(Interval(0.000123456, 0.0001, 0.0002)), "0.000123 x");
  EXPECT_EQ(IntervalText(Interval(0.1, 0.0004, 2)), "[0.0004, 2.000]");
  EXPECT_EQ(IntervalText(Interval(0.1, 0, HUGE_VAL)), "no interval");
  EXPECT_EQ(IntervalText(Interval(1.5, 0.25, HUGE_VAL)), "[0.250, inf]");
}

// The t quantile of two runs that were disturbed.
TEST(RatioText, LargeRatiosHaveNoMoreDigitsThanOneCanRead) {
  EXPECT_EQ(RatioText(Interval(843.948, 703.276, 1012.757)), "843.9 x");
  EXPECT_EQ(IntervalText(Interval(843.948, 703.276, 1012.757)), "[703.3, 1013]");
  EXPECT_EQ(RatioText(Interval(12.3456, 11.8, 12.9)), "12.35 x");
  EXPECT_EQ(RatioText(Interval(12.3456, 12.344, 12.347)), "12.3456 x");
  EXPECT_EQ(RatioText(Interval(1234.5678, 900, 1400)), "1235 x");
  EXPECT_EQ(IntervalText(Interval(1.375, 2.58e-13, 7326379447341.055)), "[2.58e-13, 7.33e+12]");
}

TEST(RangeText, ReadsInASentence) {
  EXPECT_EQ(TimesText(Interval(0.797, 0.775, 0.819)), "0.797 ×");
  EXPECT_EQ(RangeText(Interval(0.797, 0.775, 0.819)), "0.775 to 0.819 ×");
  EXPECT_EQ(RangeText(Interval(1, 0.25, HUGE_VAL)), "0.250 × and more");
  EXPECT_EQ(RangeText(Interval(1.036, 0.99996, 1.073)), "0.99996 to 1.07300 ×");
  EXPECT_EQ(RangeText(Interval(1.036, 1.0002, 1.073)), "1.0002 to 1.0730 ×");
  EXPECT_EQ(RangeText(Interval(1.036, 1, 1.073)), "1.000 to 1.073 ×");
  EXPECT_EQ(RangeText(Interval(1.04, 1.02, 1.05004), 1.05), "1.02000 to 1.05004 ×");
  EXPECT_EQ(RangeText(Interval(1, 0, HUGE_VAL)), "any ratio");
}

TEST(VerdictSentence, SaysWhatTheVerdictMeans) {
  EXPECT_EQ(VerdictSentence(Interval(0.797, 0.795, 0.799), Verdict::kFaster, 0.01),
            "FASTER: new takes 0.7970 × the time of old");
  EXPECT_EQ(VerdictSentence(Interval(2.01, 1.9, 2.1), Verdict::kSlower, 0.01),
            "SLOWER: new takes 2.010 × the time of old");
  EXPECT_EQ(VerdictSentence(Interval(1, 0.999, 1.001), Verdict::kEqual, 0.02),
            "EQUAL: new takes the same time as old, within 2 %");
  EXPECT_EQ(VerdictSentence(Interval(1, 0.979, 1.034), Verdict::kInconclusive, 0.01),
            "INCONCLUSIVE: new takes 0.979 to 1.034 × the time of old");
  EXPECT_EQ(VerdictSentence(Interval(1, 0, HUGE_VAL), Verdict::kInconclusive, 0.01),
            "INCONCLUSIVE: too few runs to bound the ratio");
  EXPECT_EQ(VerdictSentence(Interval(1, 3e-13, 7e12), Verdict::kInconclusive, 0.01),
            "INCONCLUSIVE: so few runs that the interval is very wide");
}

TEST(VerdictSentence, NamesTheFunctions) {
  const VariantNames names = {"BM_StdMap", "BM_BTreeMap"};
  EXPECT_EQ(VerdictSentence(Interval(0.55, 0.53, 0.57), Verdict::kFaster, 0.01, names),
            "FASTER: BM_BTreeMap takes 0.550 × the time of BM_StdMap");
  EXPECT_EQ(VerdictSentence(Interval(1, 0.999, 1.001), Verdict::kEqual, 0.01, names),
            "EQUAL: BM_BTreeMap takes the same time as BM_StdMap, within 1 %");
}

}  // namespace
}  // namespace duetbench
