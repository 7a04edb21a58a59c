#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/report/suite_facts.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

// A run of ten pairs in which new takes `ratio` times as long: 2 ticks a ns, 4 iterations.
RunResult RunWithRatio(double ratio) {
  RunResult run;
  for (int i = 0; i < 10; ++i) {
    PairRecord pair{};
    pair.ticks[0] = 800 + i;
    pair.ticks[1] = pair.ticks[0] * ratio;
    pair.iterations[0] = pair.iterations[1] = 4;
    pair.cpu_ns[0] = pair.cpu_ns[1] = 40;
    run.pairs.push_back(pair);
  }
  return run;
}

TEST(PictureOfMiddleRun, ShowsTheRunInTheMiddle) {
  Comparison result;
  result.outcome = Estimate{};
  result.results = {RunWithRatio(3), RunWithRatio(1), RunWithRatio(2)};
  RunResult& middle = result.results[2];
  middle.pairs[1].flags = kOldPreempted;
  middle.pairs[2].flags = kNoTime;
  middle.pairs[3].flags = kAlone;
  const RunPicture picture = PictureOfMiddleRun(result, 0.5);
  EXPECT_EQ(picture.run, 2u);
  EXPECT_EQ(picture.pairs, 8u) << "without the pair without time and the one alone";
  EXPECT_EQ(picture.disturbed, 1u);
  EXPECT_TRUE(picture.shown[1].disturbed);
  EXPECT_DOUBLE_EQ(picture.shown[0].time[0], 100);
  EXPECT_DOUBLE_EQ(picture.shown[0].time[1], 200);

  result.cpu_time = true;
  EXPECT_DOUBLE_EQ(PictureOfMiddleRun(result, 0.5).shown[0].time[1], 10);
}

TEST(PictureOfMiddleRun, IsEmptyWithoutAnEstimate) {
  Comparison result;
  result.outcome = Failure{};
  result.results = {RunWithRatio(1)};
  EXPECT_TRUE(PictureOfMiddleRun(result, 1).shown.empty());
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
}  // namespace duetbench
