#include "duetbench/stats/pair_digest.h"

#include <cmath>
#include <numeric>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::stats {
namespace {

using ::testing::ElementsAre;

TEST(CountValues, BothEndsBelongToTheRange) {
  const Histogram histogram = CountValues({0, 1, 1.9, 2, 4, 4.1, -1, NAN}, 0, 4, 4);
  EXPECT_THAT(histogram.counts, ElementsAre(1, 2, 1, 1));
  EXPECT_EQ(histogram.outside, 3u);
}

TEST(PictureOfRun, KeepsEveryStepthPairAndAllDisturbances) {
  std::vector<ShownPair> pairs(10);
  for (int i = 0; i < 10; ++i) pairs[i].time[0] = i;
  pairs[5].disturbed = true;
  const RunPicture picture = PictureOfRun(3, pairs, 4);
  EXPECT_EQ(picture.run, 3u);
  EXPECT_EQ(picture.pairs, 10u);
  EXPECT_EQ(picture.disturbed, 1u);
  EXPECT_EQ(picture.step, 3u);
  ASSERT_EQ(picture.shown.size(), 4u);
  EXPECT_EQ(picture.shown[1].time[0], 3);
  EXPECT_TRUE(picture.shown[1].disturbed) << "pair 5 is not shown";
  EXPECT_FALSE(picture.shown[2].disturbed);
  EXPECT_EQ(PictureOfRun(0, pairs, 10).step, 1u);
  EXPECT_TRUE(PictureOfRun(0, {}, 10).shown.empty());
}

}  // namespace
}  // namespace duetbench::stats
