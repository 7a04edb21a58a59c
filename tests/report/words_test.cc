#include "duetbench/report/words.h"

#include <cmath>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

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
  comparison.margin = 0.005;
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
  EXPECT_EQ(EffortText(FasterComparison()), "40 runs, 18213 pairs, 12 dropped");
}

TEST(EffortTextTest, SaysThatOneProcessIsNoExperiment) {
  Comparison comparison = FasterComparison();
  comparison.runs = 1;
  EXPECT_EQ(EffortText(comparison), "1 run, 18213 pairs, 12 dropped; one process only");
  comparison.this_process_only = true;
  EXPECT_EQ(EffortText(comparison), "1 run, 18213 pairs, 12 dropped; this process only");
}

TEST(EffortTextTest, SaysWhatIsNotADuet) {
  Comparison comparison = FasterComparison();
  comparison.schedule = Schedule::kInterleaved;
  EXPECT_THAT(EffortText(comparison), EndsWith("; not a duet: interleaved on one CPU"));
}

TEST(EffortTextTest, SaysThatDisturbedPairsWereKept) {
  Comparison comparison = FasterComparison();
  comparison.kept_disturbed = true;
  EXPECT_THAT(EffortText(comparison), EndsWith("; disturbed pairs kept"));
}

TEST(EffortTextTest, SaysHowMuchAnInterruptLeftOut) {
  Comparison comparison = FasterComparison();
  comparison.runs = 3;
  comparison.interrupted = true;
  EXPECT_THAT(EffortText(comparison), HasSubstr("3 runs, "));
  EXPECT_THAT(EffortText(comparison), EndsWith("; interrupted, 40 runs were planned"));
}

// --- Header ---

Machine TwoCpus(CpuRelation relation) {
  Machine machine;
  machine.cpus.cpus[0] = 2;
  machine.cpus.cpus[1] = 3;
  machine.cpus.relation = relation;
  machine.clock = "tsc 2.60 GHz, 10 ns steps";
  return machine;
}

ExperimentOptions Options() {
  ExperimentOptions options;
  options.seed = 7;
  return options;
}

TEST(HeaderLinesTest, SaysWhereAndHow) {
  Machine machine = TwoCpus(CpuRelation::kSeparateCores);
  machine.probed = true;
  machine.probe_slow_down = 1.004;
  EXPECT_THAT(
      HeaderLines(machine, Options()),
      ElementsAre(
          "duetbench: CPUs 2 and 3 (separate cores), measured 1.00x together; clock tsc "
          "2.60 GHz, 10 ns steps",
          "duetbench: 10 to 40 runs, 1 s a benchmark, 99 % intervals of new/old (real time), EQUAL "
          "within 1 %, --duet_seed=7"));
}

TEST(HeaderLinesTest, SaysHowTheCpusAreRelated) {
  const struct {
    CpuRelation relation;
    const char* words;
  } kCases[] = {
      {CpuRelation::kSeparateCores, "CPUs 2 and 3 (separate cores)"},
      {CpuRelation::kSeparateL3, "CPUs 2 and 3 (separate cores, separate L3)"},
      {CpuRelation::kSeparateNodes, "CPUs 2 and 3 (separate cores on different memory nodes)"},
      {CpuRelation::kUnknown, "CPUs 2 and 3 (relation unknown)"},
      {CpuRelation::kSmtSiblings, "CPUs 2 and 3 (SMT siblings: they share one core)"},
      {CpuRelation::kUnequalCores, "CPUs 2 and 3 (cores of unequal kind)"},
      {CpuRelation::kOneCpu, "CPU 2 (not a duet: one CPU)"},
  };
  for (const auto& [relation, words] : kCases) {
    EXPECT_EQ(HeaderLines(TwoCpus(relation), Options())[0],
              std::string("duetbench: ") + words + "; clock tsc 2.60 GHz, 10 ns steps");
  }
}

TEST(HeaderLinesTest, InterleavedNamesTheOneCpu) {
  ExperimentOptions options = Options();
  options.schedule = Schedule::kInterleaved;
  Machine machine = TwoCpus(CpuRelation::kSeparateCores);
  machine.probed = true;
  EXPECT_EQ(HeaderLines(machine, options)[0],
            "duetbench: CPU 2 (not a duet: the variants are interleaved on it); clock tsc 2.60 "
            "GHz, 10 ns steps");
}

TEST(HeaderLinesTest, SaysEveryOption) {
  ExperimentOptions options = Options();
  options.runs = 20;
  options.min_time = 0.25;
  options.level = 0.95;
  options.margin = 0.005;
  options.fill = true;
  options.seed = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(HeaderLines(TwoCpus(CpuRelation::kUnknown), options)[1],
            "duetbench: 20 runs, 0.25 s a benchmark, 95 % intervals of new/old (real time), EQUAL "
            "within 0.5 "
            "%, filled, --duet_seed=18446744073709551615");
  options.runs = 1;
  EXPECT_THAT(HeaderLines(TwoCpus(CpuRelation::kUnknown), options)[1],
              HasSubstr("1 run, in this process, "));
}

TEST(HeaderLinesTest, SaysEveryWarningOnALineOfItsOwn) {
  Machine machine = TwoCpus(CpuRelation::kUnknown);
  machine.warnings = {"the governor is powersave", "a quota of 1.5 CPUs"};
  const std::vector<std::string> lines = HeaderLines(machine, Options());
  ASSERT_THAT(lines, SizeIs(4));
  EXPECT_EQ(lines[2], "duetbench: warning: the governor is powersave");
  EXPECT_EQ(lines[3], "duetbench: warning: a quota of 1.5 CPUs");
}

// --- Errors ---

Comparison Failed(int variant, int run, const std::string& cause) {
  Comparison comparison;
  comparison.error = {variant, cause};
  comparison.error_run = run;
  return comparison;
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

}  // namespace
}  // namespace duetbench
