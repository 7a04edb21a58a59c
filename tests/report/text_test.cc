#include "duetbench/report/text.h"

#include <cmath>

#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

TEST(PrintableTest, LeavesTextAsItIs) {
  EXPECT_EQ(Printable(""), "");
  EXPECT_EQ(Printable("threw \"E\": C:\\dir, 50 %"), "threw \"E\": C:\\dir, 50 %");
  EXPECT_EQ(Printable("é, 漢, 🙂"), "é, 漢, 🙂");
}

TEST(PrintableTest, ControlCharactersBecomeSpaces) {
  EXPECT_EQ(Printable("a\nb\tc\r\x01\x1b[31m\x7f"), "a b c   [31m ");
  EXPECT_EQ(Printable(std::string("a\0b", 3)), "a b");
  EXPECT_EQ(Printable("a\u0085b\u009b31m"), "a b 31m") << "C1";
  EXPECT_EQ(Printable("a\u2028b\u2029c"), "a b c") << "ends of lines";
  EXPECT_EQ(Printable("safe\u202Ecc.evil\u2066x\u200F"), "safe cc.evil x ") << "directions";
  EXPECT_EQ(Printable("a\u00A0b, \u2013 \u2026"), "a\u00A0b, \u2013 \u2026") << "neighbours stay";
}

TEST(PrintableTest, WhatIsNotUtf8IsReplaced) {
  EXPECT_EQ(Printable("a\xff"), "a\uFFFD");
  EXPECT_EQ(Printable("caf\xe9 au lait"), "caf\uFFFD au lait");
  EXPECT_EQ(Printable("cut \xe6\xbc"), "cut \uFFFD");
}

TEST(Wrapped, BreaksBetweenWords) {
  EXPECT_EQ(Wrapped("one two three", 7, "  "), "one two\n  three");
  EXPECT_EQ(Wrapped("one two three", 13, "  "), "one two three");
  EXPECT_EQ(Wrapped("  one two", 5, "  "), "  one\n  two");
  EXPECT_EQ(Wrapped("one  two", 8, ""), "one  two") << "inner spaces stay where nothing is broken";
  EXPECT_EQ(Wrapped("", 8, "  "), "");
}

TEST(Wrapped, LeavesLongWordsWhole) {
  EXPECT_EQ(Wrapped("see /a/long/path/to/it now", 8, "  "), "see\n  /a/long/path/to/it\n  now");
  EXPECT_EQ(Wrapped("/a/long/path", 5, "  "), "/a/long/path");
}

TEST(Wrapped, CountsCharacters) {
  EXPECT_EQ(Width("1.05 ×"), 6u);
  EXPECT_EQ(Wrapped("××× ××× a", 9, "  "), "××× ××× a");
}

TEST(TimeText, HasTheUnitThatMakesItShort) {
  EXPECT_EQ(TimeText(1.2345), "1.234 ns");
  EXPECT_EQ(TimeText(125), "125.0 ns");
  EXPECT_EQ(TimeText(2345), "2.345 µs");
  EXPECT_EQ(TimeText(45.6e6), "45.60 ms");
  EXPECT_EQ(TimeText(7e9), "7.000 s");
}

TEST(ShortTimeText, HasTheUnitThatMakesItShort) {
  EXPECT_EQ(ShortTimeText(0.25), "0.25 ns");
  EXPECT_EQ(ShortTimeText(999.4), "999 ns");
  EXPECT_EQ(ShortTimeText(1234), "1.23 µs");
  EXPECT_EQ(ShortTimeText(56.78e6), "56.8 ms");
  EXPECT_EQ(ShortTimeText(61e9), "61 s");
}

TEST(DurationText, HasTheUnitThatMakesItShort) {
  EXPECT_EQ(DurationText(7.25), "7.25 s");
  EXPECT_EQ(DurationText(90), "90 s");
  EXPECT_EQ(DurationText(270), "4.5 min");
  EXPECT_EQ(DurationText(9000), "2.5 h");
}

TEST(Grouped, SeparatesThousands) {
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1'000), "1,000");
  EXPECT_EQ(Grouped(1'234'567), "1,234,567");
}

TEST(Plural, HasNoPluralForOne) {
  EXPECT_EQ(Plural(1, "pair"), "1 pair");
  EXPECT_EQ(Plural(0, "pair"), "0 pairs");
}

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
