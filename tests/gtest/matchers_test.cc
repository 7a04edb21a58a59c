#include <memory>
#include <sstream>
#include <string>

#include "duetbench/gtest/compare.h"
#include "duetbench/gtest/measurement.h"
#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using stats::Verdict;
using ::testing::HasSubstr;
using ::testing::Matcher;
using ::testing::Not;

PendingComparison Made(const Comparison& comparison,
                       WhenInconclusive when = WhenInconclusive::kPass) {
  return PendingComparison(std::make_shared<internal::Measurement>("Suite.Test", comparison, when));
}

Comparison Ratio(double ratio, double lo, double hi) {
  return WithVerdict(stats::Decide(Interval(ratio, lo, hi), 0.01), Interval(ratio, lo, hi));
}

// The matcher's explanation for a comparison that it does not match; empty: it matches.
std::string Complaint(const Comparison& comparison, const Matcher<const ComparisonResult&>& matcher,
                      WhenInconclusive when = WhenInconclusive::kPass) {
  const PendingComparison result = Made(comparison, when);
  testing::StringMatchResultListener listener;
  if (matcher.MatchAndExplain(result, &listener)) return "";
  std::ostringstream text;
  matcher.DescribeTo(&text);
  text << " | " << result << " | " << listener.str();
  return text.str().substr(0, text.str().find(" dropped; "));  // the rest is about this machine
}

TEST(NotSlowerThanTest, HoldsWhereTheIntervalIsBelowTheLimit) {
  EXPECT_THAT(Made(Ratio(1.0, 0.99, 1.01)), NotSlowerThan(1.05));
  EXPECT_THAT(Made(Ratio(1.04, 1.03, 1.05)), NotSlowerThan(1.05));
  EXPECT_THAT(Made(Ratio(1.07, 1.061, 1.085)), Not(NotSlowerThan(1.05)));
}

TEST(NotSlowerThanTest, SaysWhatWasDemandedAndWhatCameOut) {
  EXPECT_EQ(Complaint(Ratio(1.073, 1.061, 1.085), NotSlowerThan(1.05)),
            "takes at most 1.05 times as long as old | 1.073 x [1.061, 1.085] SLOWER: new takes "
            "1.073 × the time of old (40 runs) | \nFAIL Suite.Test: new takes 1.073 × the time of "
            "old (99 % interval 1.061 to 1.085 ×), all above the limit of 1.05 ×. 40 runs, 18,213 "
            "pairs, 12");
}

TEST(FasterThanTest, HoldsWhereNewIsProvenToBeThatFast) {
  EXPECT_THAT(Made(Ratio(0.5, 0.49, 0.51)), FasterThan(1.9));
  EXPECT_THAT(Made(Ratio(0.9, 0.89, 0.91)), Not(FasterThan(1.9)));
  EXPECT_EQ(Complaint(Ratio(0.9, 0.89, 0.91), FasterThan(1.9)),
            "is at least 1.9 times as fast as old | 0.900 x [0.890, 0.910] FASTER: new takes 0.900 "
            "× the time of old (40 runs) | \nFAIL Suite.Test: new takes 0.900 × the time of old "
            "(99 % interval 0.890 to 0.910 ×), all above the limit of 0.5263 × (1.9 times as "
            "fast). 40 runs, 18,213 pairs, 12");
}

TEST(EquivalentWithinTest, HoldsOnlyWhereTheIntervalLiesOnBothSides) {
  EXPECT_THAT(Made(Ratio(1.0, 0.99, 1.01)), EquivalentWithin(0.02));
  EXPECT_THAT(Made(Ratio(1.1, 1.09, 1.11)), Not(EquivalentWithin(0.02)));
  EXPECT_THAT(Made(Ratio(0.9, 0.89, 0.91)), Not(EquivalentWithin(0.02)));
  EXPECT_EQ(Complaint(Ratio(0.9, 0.89, 0.91), EquivalentWithin(0.02)),
            "is neither slower nor faster than old by more than 2 % | 0.900 x [0.890, 0.910] "
            "FASTER: new takes 0.900 × the time of old (40 runs) | \nFAIL Suite.Test: new takes "
            "0.900 × the time of old (99 % interval 0.890 to 0.910 ×), all below the limits 0.9804 "
            "to 1.02 ×. 40 runs, 18,213 pairs, 12");
}

TEST(HasVerdictTest, ComparesTheVerdict) {
  EXPECT_THAT(Made(FasterComparison()), HasVerdict(Verdict::kFaster));
  EXPECT_THAT(Made(FasterComparison()), Not(HasVerdict(Verdict::kEqual)));
  EXPECT_EQ(Complaint(FasterComparison(), HasVerdict(Verdict::kEqual)),
            "is EQUAL | 0.800 x [0.790, 0.810] FASTER: new takes 0.800 × the time of old (40 "
            "runs) | ");
}

TEST(GateMatcherTest, AnInconclusiveOnePassesWithAWarningThatIsGivenOnce) {
  const PendingComparison result = Made(Ratio(1.05, 1.02, 1.08));
  testing::internal::CaptureStderr();
  EXPECT_THAT(result, NotSlowerThan(1.05));
  EXPECT_THAT(result, NotSlowerThan(1.05));
  EXPECT_THAT(
      testing::internal::GetCapturedStderr(),
      testing::StartsWith("duetbench: INCONCLUSIVE Suite.Test: new takes 1.050 × the time"));
}

TEST(GateMatcherTest, AnInconclusiveOneFailsWhereThatIsWanted) {
  EXPECT_EQ(Complaint(Ratio(1.05, 1.02, 1.08), NotSlowerThan(1.05), WhenInconclusive::kFail),
            "takes at most 1.05 times as long as old | 1.050 x [1.020, 1.080] SLOWER: new takes "
            "1.050 × the time of old (40 runs) | \n"
            "INCONCLUSIVE Suite.Test: new takes 1.050 × the time of old (99 % interval 1.020 to "
            "1.080 ×), on both sides of the limit of 1.05 ×. 40 runs, 18,213 pairs, 12");
}

TEST(GateMatcherTest, AnInconclusiveOneSkipsWhereThatIsWanted) {
  testing::TestPartResultArray results;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    EXPECT_THAT(Made(Ratio(1.05, 1.02, 1.08), WhenInconclusive::kSkip), NotSlowerThan(1.05));
  }
  ASSERT_EQ(results.size(), 1);
  EXPECT_TRUE(results.GetTestPartResult(0).skipped());
  EXPECT_THAT(results.GetTestPartResult(0).message(), HasSubstr("INCONCLUSIVE Suite.Test"));
}

TEST(GateMatcherTest, AnotherLimitThanThatOfTheMeasurementIsJudgedByAllThatIsKnown) {
  Comparison removed = Ratio(0.5, 0.49, 0.51);
  removed.lacks_work[1] = true;
  Comparison open = Ratio(0.5, 0.49, 0.51);
  open.open_total = 1.1;
  for (Comparison* const comparison : {&removed, &open}) {
    JudgeAgain(comparison);
    EXPECT_THAT(Complaint(*comparison, FasterThan(1.2), WhenInconclusive::kFail),
                HasSubstr("INCONCLUSIVE Suite.Test"));
  }
}

TEST(GateMatcherTest, WhatWentWrongMatchesNothing) {
  const Comparison failed = FailedIn(1, 2, "threw std::runtime_error: no such file");
  for (const Matcher<const ComparisonResult&>& matcher :
       {Matcher<const ComparisonResult&>(NotSlowerThan(1.05)),
        Matcher<const ComparisonResult&>(FasterThan(0.1)),
        Matcher<const ComparisonResult&>(HasVerdict(Verdict::kInconclusive))}) {
    EXPECT_THAT(Complaint(failed, matcher),
                HasSubstr("new threw std::runtime_error: no such file (in run 3)"));
  }
  EXPECT_EQ(Complaint(DryRunComparison(), NotSlowerThan(1.05)),
            "takes at most 1.05 times as long as old | not measured: a dry run | ");
}

TEST(GateMatcherDeathTest, ALimitThatMakesNoSenseStopsTheProgram) {
  EXPECT_DEATH(EXPECT_THAT(Made(FasterComparison()), NotSlowerThan(-1)), "a gate got -1");
}

TEST(ComparisonResultTest, HasWhatTheComparisonHas) {
  Comparison comparison = FasterComparison();
  comparison.notices = {{Notice::Kind::kRunDegraded, {}, "one"}};
  comparison.two_speeds.emplace().ratio[0] = 0.5;
  const ComparisonResult result = Made(comparison);
  EXPECT_EQ(result.error(), "");
  EXPECT_EQ(result.ratio(), 0.8);
  EXPECT_EQ(result.lo(), 0.79);
  EXPECT_EQ(result.hi(), 0.81);
  EXPECT_EQ(result.verdict(), Verdict::kFaster);
  EXPECT_EQ(result.old_time_ns(), 125);
  EXPECT_EQ(result.new_time_ns(), 100);
  EXPECT_EQ(result.numbers()["runs"], 40);
  EXPECT_EQ(result.numbers()["pairs_dropped"], 12);
  EXPECT_THAT(result.warnings(), testing::ElementsAre("one", HasSubstr("two speeds")));
}

TEST(ComparisonResultTest, PrintsTheLineOfTheReportAndTheWarnings) {
  Comparison comparison = FasterComparison();
  comparison.notices = {{Notice::Kind::kForksOfThisProcess, {}, "a debugger is attached"}};
  std::ostringstream text;
  text << Made(comparison);
  EXPECT_EQ(text.str(),
            "0.800 x [0.790, 0.810] FASTER: new takes 0.800 × the time of old (40 runs)\n  "
            "runs are forks of this process: a debugger is attached");
}

}  // namespace
}  // namespace duetbench
