#include <cmath>
#include <optional>

#include "duetbench/report/comparison_format.h"
#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

Comparison OpenResult(double ratio, double factor, double wall_s) {
  Comparison comparison =
      WithVerdict(stats::Verdict::kInconclusive, Interval(ratio, ratio / factor, ratio * factor));
  comparison.wall_s = wall_s;
  return comparison;
}

// True if an interval around the same ratio, of the width that the time gives, is decided.
bool DecidesAfter(const Comparison& comparison, double seconds) {
  const double half_width = std::log(comparison.interval.hi / comparison.interval.ratio) *
                            std::sqrt(comparison.wall_s / seconds);
  const double ratio = comparison.interval.ratio;
  const stats::RatioInterval interval =
      Interval(ratio, ratio * std::exp(-half_width), ratio * std::exp(half_width));
  if (const GateResult* const gate = comparison.time_gate()) {
    return Judge(gate->spec, interval) != GateStatus::kInconclusive;
  }
  return stats::Decide(interval, comparison.margin) != stats::Verdict::kInconclusive;
}

TEST(SecondsToDecide, FollowsFromTheSquareRootLaw) {
  for (const double ratio : {0.95, 0.997, 1.0, 1.004, 1.006, 1.03}) {
    const Comparison comparison = OpenResult(ratio, 1.1, 2);
    const std::optional<double> seconds = SecondsToDecide(comparison);
    ASSERT_TRUE(seconds.has_value()) << ratio;
    EXPECT_TRUE(DecidesAfter(comparison, *seconds)) << ratio;
    // Room for another ratio next time, 1.33 in the width.
    EXPECT_TRUE(DecidesAfter(comparison, *seconds / 1.7)) << ratio;
    EXPECT_FALSE(DecidesAfter(comparison, *seconds / 1.8)) << ratio;
  }
}

// Ten runs of 16 s, of which set-ups take 99 %, and a ratio that the pairs within the runs spread.
Comparison WithSetUps(double variance_within) {
  Comparison comparison = OpenResult(1, 1.1, 16);
  comparison.measuring_s = 0.16;
  comparison.run_values.clear();
  for (int run = 0; run < 10; ++run) {
    stats::RunValue value;
    value.log_ratio = run % 2 == 0 ? 0.1 : -0.1;
    value.variance = variance_within;
    comparison.run_values.push_back(value);
  }
  return comparison;
}

TEST(SecondsToDecide, CountsSetUpsOnceWhereLongerRunsSuffice) {
  // 162 times the pairs, with as many set-ups.
  EXPECT_NEAR(*SecondsToDecide(WithSetUps(0.0111112)), 16 + 161.3 * 0.16, 0.1);
  // Runs that differ beyond their pairs must be more.
  EXPECT_NEAR(*SecondsToDecide(WithSetUps(0.001)), 16 * 162.3, 2);
  EXPECT_NEAR(*SecondsToDecide(WithSetUps(std::nan(""))), 16 * 162.3, 2);
}

TEST(SecondsToDecide, OfAGateFollowsFromItsLimits) {
  for (const GateSpec& spec :
       {GateSpec::MaxRatio(1.05), GateSpec::MinSpeedup(1.02), GateSpec::Equivalent(0.05)}) {
    Comparison comparison = OpenResult(1.01, 1.1, 2);
    SetTimeGate(spec, &comparison);
    const std::optional<double> seconds = SecondsToDecide(comparison);
    ASSERT_TRUE(seconds.has_value());
    EXPECT_TRUE(DecidesAfter(comparison, *seconds / 1.7));
    EXPECT_FALSE(DecidesAfter(comparison, *seconds / 1.8));
  }
}

TEST(SecondsToDecide, IsUnknownWhereTimeDoesNotHelp) {
  EXPECT_FALSE(SecondsToDecide(FasterComparison()).has_value());
  EXPECT_FALSE(SecondsToDecide(DryRunComparison()).has_value());
  Comparison comparison = OpenResult(1, 1.1, 2);
  comparison.runs = 1;
  EXPECT_FALSE(SecondsToDecide(comparison).has_value());
  comparison = OpenResult(1, 1.1, 2);
  comparison.lacks_work[0] = true;
  JudgeAgain(&comparison);
  EXPECT_FALSE(SecondsToDecide(comparison).has_value());
  comparison = OpenResult(1, HUGE_VAL, 2);
  EXPECT_FALSE(SecondsToDecide(comparison).has_value());
  EXPECT_FALSE(SecondsToDecide(OpenResult(1, 1.1, 0)).has_value()) << "the time is not known";
}

TEST(AndDecisionTime, IsAboutSoLong) {
  // (1.33 * ln 1.1 / ln 1.01)^2 = 162.3
  EXPECT_EQ(AndDecisionTime(OpenResult(1, 1.1, 0.1)), "; about 17 s would decide");
  EXPECT_EQ(DecisionFlag(OpenResult(1, 1.1, 0.1)), "--benchmark_min_time=17");
  EXPECT_EQ(AndDecisionTime(OpenResult(1, 1.1, 1)), "; about 3 min would decide");
  EXPECT_EQ(DecisionFlag(OpenResult(1, 1.1, 1)), "--benchmark_min_time=170");
  EXPECT_EQ(AndDecisionTime(OpenResult(1, 1.1, 100)), "; about 5 h would decide");
  EXPECT_EQ(AndDecisionTime(OpenResult(1, 1.1, 1000)), "; more than a day would decide");
  EXPECT_EQ(DecisionFlag(OpenResult(1, 1.1, 1000)), "");
  EXPECT_EQ(AndDecisionTime(FasterComparison()), "");
  EXPECT_EQ(DecisionFlag(FasterComparison()), "");
}

TEST(AndDecisionTime, WithTooFewSlowCallsIsUnknown) {
  Comparison comparison = OpenResult(1.08, 1.2, 1);
  comparison.open_total = 1.1983;
  EXPECT_EQ(AndDecisionTime(comparison), "; measure longer: total 1.2 ×, of too few slow calls");
  EXPECT_EQ(DecisionFlag(comparison), "");
  comparison.lacks_work[0] = true;
  JudgeAgain(&comparison);
  EXPECT_EQ(AndDecisionTime(comparison), "") << "there is another reason";
}

TEST(AndDecisionTime, ARatioOnTheLimitIsNotDecided) {
  Comparison comparison = OpenResult(1.05, 1.1, 1);
  const GateSpec spec = GateSpec::MaxRatio(1.05);
  SetTimeGate(spec, &comparison);
  EXPECT_EQ(AndDecisionTime(comparison), "; more than a day would decide");
}

TEST(DecisionFlag, IsThatOfTheGateWhereItIsMeasuredUntilDecided) {
  Comparison comparison = OpenResult(1, 1.1, 10);
  SetTimeGate(GateSpec::MaxRatio(1.05), &comparison);
  EXPECT_EQ(DecisionFlag(comparison), "--benchmark_min_time=68");
  comparison.share = 0.5;
  EXPECT_EQ(DecisionFlag(comparison), "--duet_max_time=68");
}

}  // namespace
}  // namespace duetbench
