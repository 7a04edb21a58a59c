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

TEST(DigestOfPairs, CountsEveryPairOnce) {
  RunPairs run;
  for (int i = 0; i < 1000; ++i) run.push_back({100.0 + i % 10, 50.0 + i % 7, i % 2});
  run.push_back({100, 1e6, 0});
  const PairDigest digest = DigestOfPairs({run, run});
  for (const Histogram* histogram :
       {&digest.log_ratios, &digest.log_times[0], &digest.log_times[1]}) {
    const uint64_t inside =
        std::accumulate(histogram->counts.begin(), histogram->counts.end(), uint64_t{0});
    EXPECT_EQ(inside + histogram->outside, 2002u);
  }
  EXPECT_EQ(digest.log_ratios.outside, 2u);
  EXPECT_EQ(digest.log_times[0].lo, digest.log_times[1].lo);
  EXPECT_LT(digest.log_times[0].lo, std::log(50));
  EXPECT_GT(digest.log_times[0].hi, std::log(109));
  EXPECT_LT(digest.log_ratios.hi, std::log(1.0)) << "one pair does not stretch the picture";
  EXPECT_TRUE(DigestOfPairs({}).log_ratios.counts.empty());
}

}  // namespace
}  // namespace duetbench::stats
