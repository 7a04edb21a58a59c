#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/decide/notice.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/summarized.h"
#include "tests/measure/pair_of.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ResultNotices, MissingManualTimesAreTold) {
  ExperimentOptions options;
  options.manual_time = true;
  RunResult run = EqualPairs(100, 101);
  run.pairs[3].flags = kNoTime;
  run.pairs[3].ticks[1] = 0;
  const Comparison comparison = Summarized({run, run}, options);
  EXPECT_THAT(comparison.notices, ElementsAre(Notice{Notice::Kind::kNoManualTime, {}, "new"}));
}

TEST(ResultNotices, PausesThatTakeLongerThanTheWorkLeaveNoVerdict) {
  RunResult run = EqualPairs(100, 150);
  run.pause_share[1] = 2;
  const Comparison comparison = Summarized({run, run});
  EXPECT_EQ(comparison.verdict, stats::Verdict::kInconclusive);
  EXPECT_THAT(comparison.notices, ElementsAre(Notice{Notice::Kind::kPausesCost, {1, 2}, ""}));
}

TEST(ResultNotices, PausesOfOneVariantLeaveRoomInTheInterval) {
  RunResult run = EqualPairs(100, 102);
  const std::vector<RunResult> exact(18, run);
  EXPECT_EQ(Summarized(exact).verdict, stats::Verdict::kSlower);
  run.pause_share[1] = 0.03;
  const Comparison doubtful = Summarized(std::vector<RunResult>(18, run));
  EXPECT_EQ(doubtful.verdict, stats::Verdict::kInconclusive);
  EXPECT_THAT(doubtful.notices, ElementsAre(Notice{Notice::Kind::kPausesDoubtful, {0.03, 0}, ""}));
  run.pause_share[0] = 0.03;  // both have as many
  EXPECT_EQ(Summarized(std::vector<RunResult>(18, run)).verdict, stats::Verdict::kSlower);
}

TEST(ResultNotices, WherePausesLeaveNoTimeTheErrorNamesThem) {
  RunResult run;
  for (int i = 0; i < 10; ++i) run.pairs.push_back(PairOf(0, 0, i % 2, kNoTime));
  run.pause_share[0] = 100;
  const Comparison comparison = Summarize({run, run}, ExperimentOptions(), 1);
  ASSERT_TRUE(comparison.has_failed());
  EXPECT_EQ(comparison.failure.error.cause,
            "no pair has a time: PauseTiming and ResumeTiming take longer than the work between "
            "them; do more work between pauses");
}

TEST(ResultNotices, EveryNoticeStandsOnce) {
  std::vector<RunResult> runs(3, EqualPairs(100, 101));
  runs[0].notice = "cannot pin to CPU 3";
  runs[1].notice = "cannot pin to CPU 2";
  runs[2].notice = "cannot pin to CPU 3";
  EXPECT_THAT(Summarize(runs, ExperimentOptions(), 1).notices,
              ElementsAre(Notice{Notice::Kind::kRunDegraded, {1, 3}, "cannot pin to CPU 2"},
                          Notice{Notice::Kind::kRunDegraded, {2, 3}, "cannot pin to CPU 3"}));
}

TEST(ResultNotices, WhatHappenedInFewRunsIsNotTold) {
  std::vector<RunResult> runs(10, EqualPairs(1000, 1000));
  runs[0].notice = runs[1].notice = "old and new were not awake";
  EXPECT_THAT(Summarize(runs, ExperimentOptions(), 1).notices, IsEmpty());
  runs[2].notice = "old and new were not awake";
  EXPECT_THAT(
      Summarize(runs, ExperimentOptions(), 1).notices,
      ElementsAre(Notice{Notice::Kind::kRunDegraded, {3, 10}, "old and new were not awake"}));
}

TEST(ResultNotices, IterationsThatDoDifferentWorkAreTold) {
  std::vector<RunResult> runs(3, EqualPairs(1000, 1000));
  const auto notices = [&runs](double old_items, double new_items) {
    for (RunResult& run : runs) {
      run.variants[0].items = old_items;
      run.variants[1].items = new_items;
      run.variants[0].bytes = run.variants[1].bytes = 7;
    }
    return Summarize(runs, ExperimentOptions(), 1).notices;
  };
  EXPECT_THAT(notices(64, 32), ElementsAre(Notice{Notice::Kind::kWorkDiffers, {64, 32}, "items"}));
  EXPECT_THAT(notices(64, 64.1), IsEmpty());
  EXPECT_THAT(notices(64, 0), IsEmpty()) << "new does not say";
}

}  // namespace
}  // namespace duetbench
