#include "duetbench/stats/looks.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::ElementsAre;

const std::vector<double> kRuns = {0.010, 0.012, 0.014, 0.011, 0.013};  // 0.012 +- 0.00158

TEST(LookRuns, GrowByHalf) {
  std::vector<int> runs(9);
  for (size_t look = 0; look < runs.size(); ++look) runs[look] = LookRuns(static_cast<int>(look));
  EXPECT_THAT(runs, ElementsAre(5, 8, 12, 18, 27, 41, 62, 93, 140));
  EXPECT_EQ(LookRuns(1000), std::numeric_limits<int>::max());
}

TEST(LookShare, AllTogetherAreNoMoreThanOne) {
  double sum = kLastLookShare;
  for (int look = 0; look < 200; ++look) {
    EXPECT_GT(LookShare(look), 0);
    sum += LookShare(look);
  }
  EXPECT_LE(sum, 1);
  EXPECT_GT(sum, 0.999) << "nothing is given away";
  EXPECT_DOUBLE_EQ(LookShare(0), LookShare(10));
  EXPECT_DOUBLE_EQ(LookShare(11), LookShare(10) / 2);
}

TEST(LookInterval, IsWiderThanTheIntervalOfOneLookAndHasItsLevel) {
  const RatioInterval once = TInterval(kRuns, 0.99).value();
  const RatioInterval only = LookInterval(kRuns, 0.99, 1).value();
  EXPECT_DOUBLE_EQ(only.lo, once.lo);
  EXPECT_DOUBLE_EQ(only.hi, once.hi);
  const RatioInterval look = LookInterval(kRuns, 0.99, 0.1).value();
  EXPECT_DOUBLE_EQ(look.ratio, once.ratio);
  EXPECT_DOUBLE_EQ(look.lo, TInterval(kRuns, 0.999).value().lo);
  EXPECT_LT(look.lo, once.lo);
  EXPECT_GT(look.hi, once.hi);
  EXPECT_EQ(look.level, 0.99);
}

TEST(LookInterval, RefusesWhatTRefuses) {
  EXPECT_FALSE(LookInterval({0.1}, 0.99, 1).ok());
  EXPECT_FALSE(LookInterval(kRuns, 1, 1).ok());
  EXPECT_FALSE(LookInterval({0.1, std::nan("")}, 0.99, 0.5).ok());
}

TEST(LookPValue, IsTheAlphaAtWhichTheIntervalEndsAtTheLimit) {
  for (const double share : {1.0, 0.5, 1.0 / 24}) {
    for (const double limit : {1.005, 1.008, 1.0115}) {
      const double p = LookPValue(kRuns, 0, limit, share);
      ASSERT_GT(p, 0);
      if (p == 1) continue;  // no interval of this share is so narrow
      EXPECT_NEAR(LookInterval(kRuns, 1 - p, share)->lo, limit, 1e-9) << share << " " << limit;
    }
    const double p = LookPValue(kRuns, 1.02, HUGE_VAL, share);
    EXPECT_NEAR(LookInterval(kRuns, 1 - p, share)->hi, 1.02, 1e-9) << "below what is allowed";
  }
}

TEST(LookPValue, IsOneWhereTheEstimateIsAllowed) {
  EXPECT_EQ(LookPValue(kRuns, 0, 1.05, 1), 1);
  EXPECT_EQ(LookPValue(kRuns, 1 / 1.02, 1.02, 0.5), 1);
  EXPECT_EQ(LookPValue({0.1, 0.1}, 0, 1.0, 0.5), 0) << "runs that are all equal leave no doubt";
  EXPECT_EQ(LookPValue({0.1, 0.1}, 0, 2.0, 0.5), 1);
}

TEST(LookDeathTest, RefusesWhatMakesNoSense) {
  EXPECT_DEATH(LookRuns(-1), "from 0");
  EXPECT_DEATH(LookShare(-1), "from 0");
  EXPECT_DEATH(LookPValue({0.1}, 0, 1, 1), "two finite");
  EXPECT_DEATH(LookPValue(kRuns, 2, 1, 1), "range");
  EXPECT_DEATH(LookPValue(kRuns, 0, 1, 0), "share");
}

}  // namespace
}  // namespace duetbench::stats
