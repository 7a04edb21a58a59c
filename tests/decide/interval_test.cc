#include "duetbench/decide/interval.h"

#include <cmath>
#include <limits>
#include <vector>

#include "duetbench/record/verdict.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::ElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

RatioInterval Interval(double lo, double hi) { return {(lo + hi) / 2, lo, hi, 0.99}; }

TEST(Decide, FollowsTheBandFirst) {
  EXPECT_EQ(Decide(Interval(0.995, 1.005), 0.01), Verdict::kEqual);
  EXPECT_EQ(Decide(Interval(1.002, 1.006), 0.01), Verdict::kEqual);  // proved, but small
  EXPECT_EQ(Decide(Interval(1.002, 1.02), 0.01), Verdict::kSlower);
  EXPECT_EQ(Decide(Interval(1.02, 1.03), 0.01), Verdict::kSlower);
  EXPECT_EQ(Decide(Interval(0.97, 0.98), 0.01), Verdict::kFaster);
  EXPECT_EQ(Decide(Interval(0.97, 0.999), 0.01), Verdict::kFaster);
  EXPECT_EQ(Decide(Interval(0.97, 1.001), 0.01), Verdict::kInconclusive);
  EXPECT_EQ(Decide(Interval(0, HUGE_VAL), 0.01), Verdict::kInconclusive);
}

TEST(Decide, TheBandIsSymmetricInTheRatioAndClosed) {
  EXPECT_EQ(Decide(Interval(1 / 1.01, 1.01), 0.01), Verdict::kEqual);
  EXPECT_EQ(Decide(Interval(0.99, 1.0), 0.01), Verdict::kInconclusive);  // below 1/1.01
}

TEST(Decide, WithoutAMarginIsThePapersRule) {
  EXPECT_EQ(Decide(Interval(0.9999, 1.0001), 0), Verdict::kInconclusive);
  EXPECT_EQ(Decide(Interval(1.0001, 1.0002), 0), Verdict::kSlower);
  EXPECT_EQ(Decide(Interval(0.9998, 0.9999), 0), Verdict::kFaster);
  EXPECT_EQ(Decide(Interval(1, 1.1), 0), Verdict::kInconclusive);
  EXPECT_EQ(Decide(Interval(0.9, 1), 0), Verdict::kInconclusive);
  EXPECT_EQ(Decide(Interval(1, 1), 0), Verdict::kEqual);
}

TEST(Decide, NothingFollowsFromNaN) {
  EXPECT_EQ(Decide(Interval(kNan, 0.9), 0.01), Verdict::kInconclusive);
  EXPECT_EQ(Decide(Interval(1.1, kNan), 0.01), Verdict::kInconclusive);
}

const std::vector<double> kRuns = {0.010, 0.012, 0.014, 0.011, 0.013};  // 0.012 +- 0.00158

TEST(AnalysisRuns, GrowByHalfInWholePairs) {
  std::vector<int> runs(9);
  for (size_t k = 0; k < runs.size(); ++k) runs[k] = AnalysisRuns(static_cast<int>(k));
  EXPECT_THAT(runs, ElementsAre(6, 8, 12, 18, 28, 42, 62, 94, 140));
  EXPECT_EQ(AnalysisRuns(1000), std::numeric_limits<int>::max());
}

TEST(AnalysisShare, AllTogetherAreNoMoreThanOne) {
  double sum = kFinalAnalysisShare;
  for (int k = 0; k < 200; ++k) {
    EXPECT_GT(AnalysisShare(k), 0);
    sum += AnalysisShare(k);
  }
  EXPECT_LE(sum, 1);
  EXPECT_GT(sum, 0.999) << "nothing is given away";
  EXPECT_DOUBLE_EQ(AnalysisShare(0), AnalysisShare(10));
  EXPECT_DOUBLE_EQ(AnalysisShare(11), AnalysisShare(10) / 2);
}

TEST(TInterval, OfAnAnalysisIsWiderThanThatOfASingleOneAndHasItsLevel) {
  const RatioInterval once = TInterval(kRuns, 0.99).value();
  const RatioInterval interim = TInterval(kRuns, 0.99, 0.1).value();
  EXPECT_DOUBLE_EQ(interim.ratio, once.ratio);
  EXPECT_DOUBLE_EQ(interim.lo, TInterval(kRuns, 0.999).value().lo);
  EXPECT_LT(interim.lo, once.lo);
  EXPECT_GT(interim.hi, once.hi);
  EXPECT_EQ(interim.level, 0.99);
}

TEST(TInterval, RefusesTooFewValuesAndOtherLevels) {
  EXPECT_FALSE(TInterval({0.1}, 0.99, 1).ok());
  EXPECT_FALSE(TInterval(kRuns, 1, 1).ok());
  EXPECT_FALSE(TInterval({0.1, std::nan("")}, 0.99, 0.5).ok());
}

TEST(AnalysisPValue, IsTheAlphaAtWhichTheIntervalEndsAtTheLimit) {
  for (const double share : {1.0, 0.5, 1.0 / 24}) {
    for (const double limit : {1.005, 1.008, 1.0115}) {
      const double p = AnalysisPValue(kRuns, 0, limit, share);
      ASSERT_GT(p, 0);
      if (p == 1) continue;  // no interval of this share is so narrow
      EXPECT_NEAR(TInterval(kRuns, 1 - p, share)->lo, limit, 1e-9) << share << " " << limit;
    }
    const double p = AnalysisPValue(kRuns, 1.02, HUGE_VAL, share);
    EXPECT_NEAR(TInterval(kRuns, 1 - p, share)->hi, 1.02, 1e-9) << "below what is allowed";
  }
}

TEST(AnalysisPValue, IsOneWhereTheEstimateIsAllowed) {
  EXPECT_EQ(AnalysisPValue(kRuns, 0, 1.05, 1), 1);
  EXPECT_EQ(AnalysisPValue(kRuns, 1 / 1.02, 1.02, 0.5), 1);
  EXPECT_EQ(AnalysisPValue({0.1, 0.1}, 0, 1.0, 0.5), 0) << "runs that are all equal leave no doubt";
  EXPECT_EQ(AnalysisPValue({0.1, 0.1}, 0, 2.0, 0.5), 1);
}

TEST(AnalysisDeathTest, RefusesWhatMakesNoSense) {
  EXPECT_DEATH(AnalysisRuns(-1), "from 0");
  EXPECT_DEATH(AnalysisShare(-1), "from 0");
  EXPECT_DEATH(AnalysisPValue({0.1}, 0, 1, 1), "two finite");
  EXPECT_DEATH(AnalysisPValue(kRuns, 2, 1, 1), "range");
  EXPECT_DEATH(AnalysisPValue(kRuns, 0, 1, 0), "share");
}

TEST(MayPassEarly, WithAMarginOfManySpreads) {
  EXPECT_TRUE(MayPassEarly(0, 5, 0, 1.05));
  EXPECT_TRUE(MayPassEarly(0, 5, 1 / 1.02, 1.02));
  EXPECT_FALSE(MayPassEarly(0, 5, 0, 1.01));
  EXPECT_FALSE(MayPassEarly(0, 5, 0.99, std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(MayPassEarly(0.04, 17, 0, 1.05));
  EXPECT_TRUE(MayPassEarly(0, 18, 0, 1.001));
}

}  // namespace
}  // namespace duetbench::stats
