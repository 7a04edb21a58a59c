#include "duetbench/report/comparison_format.h"

#include <cmath>
#include <limits>
#include <optional>

#include "duetbench/report/measuring_time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Further sentences are in sentences_test.cc.

// --- Verdicts ---

TEST(VerdictSentenceTest, NamesTheFunctionsUnlessThatConfuses) {
  Comparison comparison = FasterComparison();
  comparison.names = {"BM_StdMap", "BM_BTreeMap"};
  EXPECT_EQ(VerdictSentence(comparison), "FASTER: BM_BTreeMap takes 0.800 × the time of BM_StdMap");
  comparison.names = {"Sort", "Sort"};
  EXPECT_EQ(VerdictSentence(comparison), "FASTER: new takes 0.800 × the time of old");
  comparison.names = {std::string(40, 'a'), std::string(40, 'b')};
  EXPECT_EQ(VerdictSentence(comparison), "FASTER: new takes 0.800 × the time of old");
  comparison.names = {"", ""};
  EXPECT_EQ(VerdictSentence(comparison), "FASTER: new takes 0.800 × the time of old");
}

// --- Effort ---

TEST(EffortTextTest, NamesATimeInWhichStatesOfTheMachineAreNotSeen) {
  Estimate estimate = *FasterComparison().estimate();
  const auto text = [&](double seconds) {
    estimate.run_values.assign(40, {});
    for (int i = 0; i < 40; ++i) estimate.run_values[i].start_s = 3 + seconds * i / 39;
    return EffortText(estimate);
  };
  EXPECT_EQ(text(1.04), "40 runs within 1 s");
  EXPECT_EQ(text(9.8), "40 runs within 9.8 s");
  EXPECT_EQ(text(11), "40 runs");
  text(1);
  estimate.run_values[7].start_s = -1;
  EXPECT_EQ(EffortText(estimate), "40 runs") << "it is not known";
  text(1);
  estimate.run_values[7].machine = 1;
  EXPECT_EQ(EffortText(estimate), "40 runs") << "of several machines";
}

// --- Errors ---

Failure Failed(int variant, int run, const std::string& cause) {
  return *FailedIn(variant, run, cause).failure();
}

TEST(ErrorTextTest, NamesVariantCauseAndRun) {
  EXPECT_EQ(ErrorText(Failed(0, 0, "called exit()")), "old called exit() (in run 1)");
  EXPECT_EQ(ErrorText(Failed(1, 2, "threw int")), "new threw int (in run 3)");
}

TEST(ErrorTextTest, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(ErrorText(Failed(-1, 4, "the process of the run was killed by signal 9 (Killed)")),
            "the process of the run was killed by signal 9 (Killed) (in run 5)");
  EXPECT_EQ(ErrorText(Failed(-1, -1, "no pair could be used")), "no pair could be used");
}

// Old takes 170 or 350 ns; FASTER would hold at one speed only.
Comparison AtTwoSpeeds(double fast_ratio, double slow_ratio) {
  Comparison comparison = FasterComparison();
  stats::TwoSpeeds speeds;
  speeds.time[0] = 170;
  speeds.time[1] = 350;
  speeds.ratio[0] = fast_ratio;
  speeds.ratio[1] = slow_ratio;
  speeds.share[0] = 0.6;
  speeds.share[1] = 0.4;
  comparison.estimate()->two_speeds = speeds;
  JudgeAgain(&comparison);
  return comparison;
}

TEST(TwoSpeedsTest, AVerdictThatHoldsAtOneOfThemOnlyIsNone) {
  const Comparison comparison = AtTwoSpeeds(1.0234, 0.74);
  EXPECT_EQ(comparison.estimate()->why, stats::Why::kTwoSpeeds);
  EXPECT_EQ(SecondsToDecide(comparison), std::nullopt) << "more time does not change it";
}

TEST(TwoSpeedsTest, AreToldBesideAVerdictThatHoldsAtBoth) {
  const Comparison comparison = AtTwoSpeeds(0.83, 0.74);
  EXPECT_EQ(WithheldText(comparison, comparison.estimate()->why), "");
  Estimate estimate = *comparison.estimate();
  EXPECT_THAT(ExplanationLines(estimate),
              ElementsAre("old runs at two speeds: the ratio is 0.83 x where it takes 170 ns (60 % "
                          "of the measurement) and 0.74 x where it takes 350 ns"));
  estimate.interval.lo = 0.73;
  estimate.interval.hi = 0.84;
  EXPECT_THAT(ExplanationLines(estimate), IsEmpty()) << "the interval contains both";
}

}  // namespace
}  // namespace duetbench
