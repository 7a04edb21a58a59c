#include "duetbench/report/comparison_format.h"

#include <cmath>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

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

TEST(VerdictSentenceTest, FasterSaysHowMuchLessTime) {
  EXPECT_EQ(Sentence(stats::Verdict::kFaster, 0.797, 0.795, 0.799),
            "FASTER: new takes 20.3 % less time");
  EXPECT_EQ(Sentence(stats::Verdict::kFaster, 0.9821, 0.982, 0.9822),
            "FASTER: new takes 1.79 % less time");
}

TEST(VerdictSentenceTest, MuchFasterSaysHowManyTimes) {
  EXPECT_EQ(Sentence(stats::Verdict::kFaster, 0.4, 0.39, 0.41),
            "FASTER: new is 2.50 times as fast");
}

TEST(VerdictSentenceTest, SlowerSaysHowMuchMoreTime) {
  EXPECT_EQ(Sentence(stats::Verdict::kSlower, 1.0345, 1.03, 1.04),
            "SLOWER: new takes 3.45 % more time");
  EXPECT_EQ(Sentence(stats::Verdict::kSlower, 1.5, 1.4, 1.6), "SLOWER: new takes 50.0 % more time");
}

TEST(VerdictSentenceTest, MuchSlowerSaysHowManyTimes) {
  EXPECT_EQ(Sentence(stats::Verdict::kSlower, 2.01, 2, 2.02),
            "SLOWER: new takes 2.01 times as long");
}

TEST(VerdictSentenceTest, EqualNamesTheMarginItWasGivenWith) {
  Comparison comparison = WithVerdict(stats::Verdict::kEqual, Interval(1, 0.999, 1.001));
  EXPECT_EQ(VerdictSentence(comparison), "EQUAL: within 1 %");
  comparison.estimate()->margin = 0.005;
  EXPECT_EQ(VerdictSentence(comparison), "EQUAL: within 0.5 %");
}

TEST(VerdictSentenceTest, InconclusiveSaysWhatIsPossible) {
  EXPECT_EQ(Sentence(stats::Verdict::kInconclusive, 1.006, 0.979, 1.034),
            "INCONCLUSIVE: from 2.10 % less time to 3.40 % more time");
  EXPECT_EQ(Sentence(stats::Verdict::kInconclusive, 1.02, 1.004, 1.04),
            "INCONCLUSIVE: from 0.40 % more time to 4.00 % more time");
}

TEST(VerdictSentenceTest, InconclusiveWithoutBoundsClaimsNothing) {
  const std::string sentence = Sentence(stats::Verdict::kInconclusive, 1.2, 0, HUGE_VAL);
  EXPECT_THAT(sentence, HasSubstr("INCONCLUSIVE: "));
  EXPECT_THAT(sentence, Not(HasSubstr("inf")));
  EXPECT_THAT(sentence, Not(HasSubstr("nan")));
}

// --- Effort ---

TEST(EffortTextTest, CountsRunsAndPairs) {
  EXPECT_EQ(EffortText(*FasterComparison().estimate()), "40 runs, 18213 pairs, 12 dropped");
}

TEST(EffortTextTest, SaysThatOneProcessIsNoExperiment) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->runs = 1;
  EXPECT_EQ(EffortText(*comparison.estimate()), "1 run, 18213 pairs, 12 dropped; one process only");
  comparison.estimate()->this_process_only = true;
  EXPECT_EQ(EffortText(*comparison.estimate()),
            "1 run, 18213 pairs, 12 dropped; this process only");
}

TEST(EffortTextTest, SaysWhatIsNotADuet) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->schedule = Schedule::kInterleaved;
  EXPECT_THAT(EffortText(*comparison.estimate()), EndsWith("; not a duet: interleaved on one CPU"));
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
  EXPECT_THAT(EffortText(*comparison.estimate()), HasSubstr("3 runs, "));
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
}

TEST(ExplanationLinesTest, AreThoseOfTheDiagnosis) {
  Comparison comparison = FasterComparison();
  EXPECT_THAT(ExplanationLines(*comparison.estimate()), IsEmpty());
  comparison.estimate()->diagnosis = TwoFindings();
  EXPECT_THAT(
      ExplanationLines(*comparison.estimate()),
      ElementsAre("the two CPUs differ by 1.3 %", "pairing made the interval 6.1x narrower"));
  comparison.estimate()->schedule = Schedule::kInterleaved;
  EXPECT_THAT(ExplanationLines(*comparison.estimate()),
              ElementsAre(HasSubstr("the order within a pair"), HasSubstr("pairing made")));
}

TEST(VerdictSentenceTest, ADryRunHasNone) {
  EXPECT_EQ(VerdictSentence(DryRunComparison()), "DRY RUN: one iteration of each, no verdict");
}

// --- Gates ---

Comparison Gated(const GateSpec& spec, const stats::RatioInterval& interval) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->interval = interval;
  comparison.estimate()->runs = 10;
  comparison.estimate()->pairs = 18431;
  comparison.estimate()->dropped = 212;
  comparison.gate = GateResult();
  comparison.gate->spec = spec;
  comparison.gate->outcome = Judge(spec, interval);
  return comparison;
}

TEST(VerdictSentence, SaysWhyThereIsNone) {
  Comparison comparison = FasterComparison();
  comparison.estimate()->verdict = stats::Verdict::kInconclusive;
  comparison.estimate()->lacks_work[1] = true;
  EXPECT_EQ(VerdictSentence(comparison), "INCONCLUSIVE: new takes no more time than an empty loop");
  EXPECT_THAT(
      NoticeText({Notice::Kind::kLacksWork, {1, 1.5}, ""}),
      HasSubstr("new takes no more time than an empty loop (1.5 ns): was its work removed"));
  comparison.estimate()->lacks_work[0] = true;
  EXPECT_THAT(VerdictSentence(comparison), HasSubstr("from"));
  comparison.estimate()->is_biased = true;
  EXPECT_EQ(VerdictSentence(comparison), "INCONCLUSIVE: too many pairs were disturbed");
}

TEST(GateMessage, SaysEverythingToSomeoneWhoSeesOnlyThisLine) {
  Comparison comparison = Gated(GateSpec::MaxRatio(1.05), Interval(1.073, 1.061, 1.085));
  for (int run = 0; run < 10; ++run) {
    comparison.estimate()->run_log_ratios.push_back(run % 2 == 0 ? 0.0691 : 0.0719);
  }
  EXPECT_EQ(GateMessage("BM_Parse/1024", comparison, SeparateCores()),
            "FAIL BM_Parse/1024: new is 7.3 % slower than old (99 % interval +6.1 … +8.5 %), "
            "allowed +5 %. 10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores). A/A on "
            "this machine detects ≥ 0.24 %.");
}

TEST(GateMessage, OfEachOutcome) {
  EXPECT_EQ(
      GateMessage("f", Gated(GateSpec::MaxRatio(1.05), Interval(0.99, 0.98, 1)), SeparateCores()),
      "PASS f: new takes 1.0 % less time than old (99 % interval -2.0 … +0.0 %), allowed +5 "
      "%. 10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores); calls rarer than 1 in "
      "700 were not seen.");
  Comparison undecided = Gated(GateSpec::MaxRatio(1.05), Interval(1.05, 1.02, 1.08));
  EXPECT_THAT(GateMessage("f", undecided, SeparateCores()),
              HasSubstr("INCONCLUSIVE f: new is 5.0 % slower than old (99 % interval +2.0 … +8.0 "
                        "%), allowed +5 %. 10 runs"));
  undecided.gate->time_spent = true;
  EXPECT_THAT(GateMessage("f", undecided, SeparateCores()),
              HasSubstr("allowed +5 %: undecided when the time was spent (--duet_max_time). 10"));
}

TEST(DifferenceText, ManyTimesAreNotPerCent) {
  EXPECT_EQ(DifferenceText(Interval(2.05, 2.01, 2.09)),
            "new takes 2.05 times as long as old (99 % interval 2.01 … 2.09 times)");
  EXPECT_EQ(DifferenceText(Interval(0.5, 0.4, 0.625)),
            "new is 2.00 times as fast as old (99 % interval 1.60 … 2.50 times)");
  EXPECT_EQ(DifferenceText(Interval(1.001, 1.0008, 1.0012)),
            "new is 0.100 % slower than old (99 % interval +0.080 … +0.120 %)");
  EXPECT_EQ(DifferenceText(Interval(1, 0, std::numeric_limits<double>::infinity())),
            "new is 0.0 % slower than old (99 % interval -100.0 … +inf %)");
  EXPECT_EQ(DifferenceText(Interval(1.375, 2.58e-13, 7326379447341.0)),
            "new is 37.5 % slower than old (99 % interval -100.0 … +7.33e+14 %)");
  EXPECT_EQ(DifferenceText(Interval(2, 5e-7, 8e6)),
            "new takes 2.00 times as long as old (99 % interval 0.00 … 8e+06 times)");
}

TEST(GateSpecText, AsItWasWritten) {
  EXPECT_EQ(GateSpecText(GateSpec::MaxRatio(1.05)), "allowed +5 %");
  EXPECT_EQ(GateSpecText(GateSpec::MaxRatio(1.005)), "allowed +0.5 %");
  EXPECT_EQ(GateSpecText(GateSpec::MaxRatio(0.9)), "allowed -10 %");
  EXPECT_EQ(GateSpecText(GateSpec::MaxRatio(2)), "allowed 2 times the time");
  EXPECT_EQ(GateSpecText(GateSpec::MinSpeedup(1.2)), "demanded 1.2 times as fast");
  EXPECT_EQ(GateSpecText(GateSpec::Equivalent(0.02)), "allowed ±2 %");
}

TEST(GateMessage, SaysWhatLimitsTheMeasurement) {
  Comparison comparison = Gated(GateSpec::MaxRatio(1.05), Interval(0.99, 0.98, 1));
  Estimate& estimate = *comparison.estimate();
  estimate.runs = 1;
  estimate.pairs = 18213;
  estimate.this_process_only = true;
  estimate.schedule = Schedule::kInterleaved;
  estimate.dropped = 1234567;
  EXPECT_THAT(GateMessage("f", comparison, SeparateCores()),
              HasSubstr(". 1 run, 18,213 pairs, 1,234,567 dropped; not a duet: interleaved on CPU "
                        "0; this process only; calls"));
  comparison = Gated(GateSpec::MaxRatio(1.05), Interval(0.99, 0.98, 1));
  comparison.estimate()->interrupted = true;
  EXPECT_THAT(GateMessage("f", comparison, SeparateCores()), HasSubstr("; interrupted; calls"));
}

TEST(DetectableSlowdown, IsThatOfTheAnalysis) {
  Comparison comparison = Gated(GateSpec::MaxRatio(1.05), Interval(0.8, 0.79, 0.81));
  EXPECT_EQ(DetectableSlowdown(comparison), 0) << "nothing is known of the runs";
  EXPECT_THAT(GateMessage("f", comparison, SeparateCores()), Not(HasSubstr("A/A")));
  comparison.estimate()->run_log_ratios = {0.01, 0.02, 0.01, 0.02, 0.01, 0.02};
  const double alone = DetectableSlowdown(comparison);
  // (t(0.995, 5) + t(0.95, 5)) / sqrt(6) * 0.005477
  EXPECT_NEAR(alone, std::exp((4.03214 + 2.01505) / std::sqrt(6.0) * 0.0054772) - 1, 1e-6);
  comparison.gate->share = 0.1;
  EXPECT_GT(DetectableSlowdown(comparison), alone);
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
