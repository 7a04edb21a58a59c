#include "duetbench/report/comparison_format.h"

#include <cmath>
#include <limits>
#include <optional>

#include "duetbench/report/measuring_time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/suite_report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// --- Ratio and interval ---

TEST(RatioTextTest, ShowsAsManyDigitsAsTheIntervalJustifies) {
  EXPECT_EQ(RatioText(Interval(1.0234567, 0.5, 2.0)), "1.023 x");
  EXPECT_EQ(RatioText(Interval(1.0234567, 1.00, 1.04)), "1.023 x");
  EXPECT_EQ(RatioText(Interval(1.0234567, 1.021, 1.025)), "1.0235 x");
  EXPECT_EQ(RatioText(Interval(1.0234567, 1.0232, 1.0236)), "1.02346 x");
  EXPECT_EQ(RatioText(Interval(1.0234567, 1.0234566, 1.0234568)), "1.02346 x");
}

TEST(RatioTextTest, ShowsThreeDigitsWithoutAWidth) {
  EXPECT_EQ(RatioText(Interval(1, 1, 1)), "1.000 x");
  EXPECT_EQ(RatioText(Interval(1.5, 0, HUGE_VAL)), "1.500 x");
}

TEST(IntervalTextTest, ShowsBothEndsWithTheDigitsOfTheRatio) {
  EXPECT_EQ(IntervalText(Interval(0.8, 0.79, 0.81)), "[0.790, 0.810]");
  EXPECT_EQ(IntervalText(Interval(1.0235, 1.0215, 1.0255)), "[1.0215, 1.0255]");
}

TEST(IntervalTextTest, SaysWhereAnEndIsUnbounded) {
  EXPECT_EQ(IntervalText(Interval(1.5, 0, HUGE_VAL)), "[0, inf]");
  EXPECT_EQ(IntervalText(Interval(1.5, 0.25, HUGE_VAL)), "[0.250, inf]");
}

// --- Verdicts ---

std::string Sentence(stats::Verdict verdict, double ratio, double lo, double hi) {
  return VerdictSentence(WithVerdict(verdict, Interval(ratio, lo, hi)));
}

TEST(VerdictSentenceTest, SaysHowTheTimesAreRelated) {
  EXPECT_EQ(Sentence(stats::Verdict::kFaster, 0.797, 0.775, 0.819),
            "FASTER: new takes 0.797 × the time of old");
  EXPECT_EQ(Sentence(stats::Verdict::kSlower, 2.01, 1.9, 2.1),
            "SLOWER: new takes 2.010 × the time of old");
}

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

TEST(VerdictSentenceTest, EqualNamesTheMarginItWasGivenWith) {
  Comparison comparison = WithVerdict(stats::Verdict::kEqual, Interval(1, 0.999, 1.001));
  EXPECT_EQ(VerdictSentence(comparison), "EQUAL: new takes the same time as old, within 1 %");
  comparison.estimate()->margin = 0.005;
  EXPECT_EQ(VerdictSentence(comparison), "EQUAL: new takes the same time as old, within 0.5 %");
}

TEST(VerdictSentenceTest, InconclusiveSaysWhatIsPossibleAndWhatWouldDecide) {
  Comparison comparison = WithVerdict(stats::Verdict::kInconclusive, Interval(1.02, 0.979, 1.063));
  EXPECT_EQ(VerdictSentence(comparison),
            "INCONCLUSIVE: new takes 0.979 to 1.063 × the time of old");
  comparison.wall_s = 1;
  // (1.33 * 0.0412 / 0.0198)^2 = 7.7
  EXPECT_EQ(VerdictSentence(comparison),
            "INCONCLUSIVE: new takes 0.979 to 1.063 × the time of old; about 8 s would decide");
}

TEST(VerdictSentenceTest, InconclusiveWithoutBoundsClaimsNothing) {
  const std::string sentence = Sentence(stats::Verdict::kInconclusive, 1.2, 0, HUGE_VAL);
  EXPECT_THAT(sentence, HasSubstr("INCONCLUSIVE: "));
  EXPECT_THAT(sentence, Not(HasSubstr("inf")));
  EXPECT_THAT(sentence, Not(HasSubstr("nan")));
}

// --- Effort ---

TEST(EffortTextTest, CountsRunsAndWhereMostWereDroppedPairs) {
  Comparison comparison = FasterComparison();
  EXPECT_EQ(EffortText(*comparison.estimate()), "40 runs");
  comparison.estimate()->dropped = 20000;
  EXPECT_EQ(EffortText(*comparison.estimate()), "40 runs, 20000 of 38213 pairs dropped");
}

TEST(EffortTextTest, SaysThatOneProcessIsNoExperiment) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->runs = 1;
  EXPECT_EQ(EffortText(*comparison.estimate()), "1 run; one process only");
  comparison.estimate()->this_process_only = true;
  EXPECT_EQ(EffortText(*comparison.estimate()), "1 run; this process only");
}

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

TEST(EffortTextTest, SaysWhatIsNotADuet) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->schedule = Schedule::kInterleaved;
  EXPECT_THAT(EffortText(*comparison.estimate()), EndsWith("; interleaved on one CPU"));
  comparison.estimate()->cpus_per_variant = 3;
  EXPECT_THAT(EffortText(*comparison.estimate()), EndsWith("; interleaved on 3 CPUs"));
  comparison.estimate()->cpus_per_variant = kAllCpus;
  EXPECT_THAT(EffortText(*comparison.estimate()), EndsWith("; interleaved on all CPUs"));
}

TEST(EffortTextTest, SaysThatDisturbedPairsWereKept) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->kept_disturbed = true;
  EXPECT_THAT(EffortText(*comparison.estimate()), EndsWith("; disturbed pairs kept"));
}

TEST(EffortTextTest, SaysHowMuchAnInterruptLeftOut) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->runs = 3;
  comparison.estimate()->interrupted = true;
  EXPECT_THAT(EffortText(*comparison.estimate()), HasSubstr("3 runs"));
  EXPECT_THAT(EffortText(*comparison.estimate()), EndsWith("; interrupted, 40 runs were planned"));
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

// --- Notices ---

std::string Text(Notice::Kind kind, double a = 0, double b = 0, const std::string& text = "") {
  return NoticeText({kind, {a, b}, text});
}

TEST(NoticeTextTest, OfEachKind) {
  EXPECT_EQ(Text(Notice::Kind::kRunDegraded, 0, 0, "cannot pin"), "cannot pin");
  EXPECT_EQ(Text(Notice::Kind::kThisProcessOnly, 0, 0, "a debugger is attached"),
            "measured in this process only: a debugger is attached");
  EXPECT_THAT(Text(Notice::Kind::kNoManualTime), HasSubstr("SetIterationTime"));
  EXPECT_THAT(Text(Notice::Kind::kNoMeasurableTime), HasSubstr("no measurable time"));
  EXPECT_THAT(Text(Notice::Kind::kDisturbedPairsKept, 0.6), HasSubstr("60 % of the pairs"));
  EXPECT_THAT(Text(Notice::Kind::kClockRatesDiffer, 2, 1.8182),
              HasSubstr("old ran at 2 GHz and new at 1.82 GHz"));
  EXPECT_THAT(Text(Notice::Kind::kNotFilled), HasSubstr("not filled"));
  EXPECT_THAT(Text(Notice::Kind::kStartsThreads, 0, 4),
              StartsWith("new starts 4 threads: measured one variant at a time"));
  EXPECT_THAT(Text(Notice::Kind::kStartsThreads, 1, 0, "2"),
              StartsWith("old starts 1 thread, a variant starts 2 threads: measured one"));
  EXPECT_THAT(Text(Notice::Kind::kConfinesThreads, 1, 4),
              StartsWith("old starts 1 thread, new starts 4 threads: they share the one CPU"));
  EXPECT_THAT(Text(Notice::Kind::kNoSingleCalls, 10, 11), HasSubstr("a sample has 11 iterations"));
}

TEST(NoticeTextTest, SaysInHowManyRuns) {
  EXPECT_EQ(Text(Notice::Kind::kRunDegraded, 10, 10, "cannot pin"), "cannot pin");
  EXPECT_EQ(Text(Notice::Kind::kRunDegraded, 3, 10, "cannot pin"), "in 3 of 10 runs cannot pin");
}

TEST(NoticeTextTest, SaysThatTheWorkDiffers) {
  EXPECT_THAT(Text(Notice::Kind::kOneSidedRuns, 3, 10), HasSubstr("in 3 of 10 runs"));
  EXPECT_THAT(Text(Notice::Kind::kNotStationary, std::log(1.05), 5),
              HasSubstr("may differ by 5 %: about --benchmark_min_time=5s would tell"));
  EXPECT_THAT(Text(Notice::Kind::kWorkDiffers, 64, 32, "items"),
              HasSubstr("old does 64 items in an iteration and new 32"));
}

TEST(ExplanationLinesTest, AreThoseThatChangeWhatOneShouldDo) {
  Comparison comparison = FasterComparison();
  EXPECT_THAT(ExplanationLines(*comparison.estimate()), IsEmpty());
  comparison.estimate()->diagnosis = TwoFindings();
  EXPECT_THAT(ExplanationLines(*comparison.estimate()), IsEmpty()) << "contained in the ratio";
  comparison.estimate()->diagnosis->lag1 = 0.9;
  EXPECT_THAT(ExplanationLines(*comparison.estimate()), IsEmpty()) << "nothing needs help";
  comparison.estimate()->verdict = stats::Verdict::kInconclusive;
  EXPECT_THAT(ExplanationLines(*comparison.estimate()), ElementsAre(HasSubstr("measure longer")));
  comparison.estimate()->diagnosis->tails =
      stats::TailDifference{std::log(1.04), std::log(1.001), 1e-9, true};
  comparison.estimate()->diagnosis->run_drift = stats::Effect{-0.03, 1e-9, true};
  comparison.estimate()->diagnosis->clusters = {{20, std::log(0.78)}, {20, std::log(0.82)}};
  comparison.estimate()->verdict = stats::Verdict::kFaster;
  EXPECT_THAT(ExplanationLines(*comparison.estimate()), IsEmpty()) << "FASTER at either end";
  comparison.estimate()->diagnosis->run_drift = stats::Effect{-0.5, 1e-9, true};
  comparison.estimate()->diagnosis->clusters = {{20, std::log(0.62)}, {20, std::log(1.02)}};
  EXPECT_THAT(ExplanationLines(*comparison.estimate()),
              ElementsAre(HasSubstr("two groups"), HasSubstr("drifts over the runs")));
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
  EXPECT_EQ(VerdictSentence(comparison),
            "INCONCLUSIVE: old runs at two speeds, the ratio is 1.02 × at one and 0.74 × at the "
            "other");
  EXPECT_EQ(SecondsToDecide(comparison), std::nullopt) << "more time does not change it";
}

TEST(TwoSpeedsTest, AreToldBesideAVerdictThatHoldsAtBoth) {
  const Comparison comparison = AtTwoSpeeds(0.83, 0.74);
  EXPECT_EQ(WithheldText(comparison), "");
  Estimate estimate = *comparison.estimate();
  estimate.diagnosis = TwoFindings();
  EXPECT_THAT(ExplanationLines(estimate),
              ElementsAre("old runs at two speeds: the ratio is 0.83 x where it takes 170 ns (60 % "
                          "of the measurement) and 0.74 x where it takes 350 ns"));
  estimate.interval.lo = 0.73;
  estimate.interval.hi = 0.84;
  EXPECT_THAT(ExplanationLines(estimate), IsEmpty()) << "the interval contains both";
}

TEST(VerdictSentenceTest, ADryRunHasNone) {
  EXPECT_EQ(VerdictSentence(DryRunComparison()), "DRY RUN: one iteration of each, no verdict");
}

TEST(VerdictSentence, SaysWhyThereIsNone) {
  Comparison comparison = FasterComparison();
  const auto sentence = [&] {
    JudgeAgain(&comparison);
    return VerdictSentence(comparison);
  };
  comparison.estimate()->lacks_work[1] = true;
  EXPECT_EQ(sentence(), "INCONCLUSIVE: new takes no more time than an empty loop");
  EXPECT_THAT(
      NoticeText({Notice::Kind::kLacksWork, {1, 1.5}, ""}),
      HasSubstr("new takes no more time than an empty loop (1.5 ns): was its work removed"));
  comparison.estimate()->lacks_work[0] = true;
  EXPECT_EQ(sentence(), "INCONCLUSIVE: old and new take no more time than empty loops");
  comparison.estimate()->measured_together = true;
  EXPECT_EQ(sentence(), "INCONCLUSIVE: old and new disturb each other");
  comparison.estimate()->is_biased = true;
  EXPECT_EQ(sentence(), "INCONCLUSIVE: too many pairs were disturbed");
}

TEST(VerdictSentence, SaysThatTheTotalRatioIsOpen) {
  Comparison comparison = FasterComparison();
  Estimate& estimate = *comparison.estimate();
  estimate.typical = estimate.interval;
  estimate.open_total = 2.583;
  JudgeAgain(&comparison);
  EXPECT_THAT(VerdictSentence(comparison),
              AllOf(HasSubstr("INCONCLUSIVE: typical "),
                    HasSubstr(" ×, total 2.58 ×: too few slow calls to tell whose they are; "
                              "measure longer")));
  EXPECT_EQ(SecondsToDecide(comparison), std::nullopt);
}

// --- CTest ---

TEST(CtestMeasurementsTest, AreTheRatioAndItsEnds) {
  EXPECT_EQ(
      CtestMeasurements(FasterComparison()),
      "<CTestMeasurement type=\"numeric/double\" name=\"ratio\">0.8</CTestMeasurement>\n"
      "<CTestMeasurement type=\"numeric/double\" name=\"ratio_lo\">0.79</CTestMeasurement>\n"
      "<CTestMeasurement type=\"numeric/double\" name=\"ratio_hi\">0.81</CTestMeasurement>\n");
}

TEST(CtestMeasurementsTest, AnUnboundedEndIsLeftOut) {
  EXPECT_EQ(
      CtestMeasurements(WithVerdict(stats::Verdict::kInconclusive,
                                    Interval(1.5, 0.25, std::numeric_limits<double>::infinity()))),
      "<CTestMeasurement type=\"numeric/double\" name=\"ratio\">1.5</CTestMeasurement>\n"
      "<CTestMeasurement type=\"numeric/double\" name=\"ratio_lo\">0.25</CTestMeasurement>\n");
}

TEST(CtestMeasurementsTest, ThereAreNoneWithoutAnEstimate) {
  EXPECT_EQ(CtestMeasurements(DryRunComparison()), "");
  EXPECT_EQ(CtestMeasurements(FailedIn(0, 0, "threw int")), "");
}

}  // namespace
}  // namespace duetbench
