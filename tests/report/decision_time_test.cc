#include "duetbench/report/decision_time.h"

#include <cmath>

#include "gtest/gtest.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

Comparison Undecided(double ratio, double factor, double wall_s) {
  Comparison comparison =
      WithVerdict(stats::Verdict::kInconclusive, Interval(ratio, ratio / factor, ratio * factor));
  comparison.wall_s = wall_s;
  return comparison;
}

// Whether an interval around the same ratio, of the width that the time gives, is decided.
bool DecidesAfter(const Comparison& comparison, double seconds) {
  const Estimate& estimate = *comparison.estimate();
  const double half_width = std::log(estimate.interval.hi / estimate.interval.ratio) *
                            std::sqrt(comparison.wall_s / seconds);
  const double ratio = estimate.interval.ratio;
  const stats::RatioInterval interval =
      Interval(ratio, ratio * std::exp(-half_width), ratio * std::exp(half_width));
  if (comparison.gate.has_value()) {
    return Judge(comparison.gate->spec, interval) != GateOutcome::kInconclusive;
  }
  return stats::Decide(interval, estimate.margin) != stats::Verdict::kInconclusive;
}

TEST(SecondsToDecide, FollowsFromTheSquareRootLaw) {
  for (const double ratio : {0.95, 0.997, 1.0, 1.004, 1.006, 1.03}) {
    const Comparison comparison = Undecided(ratio, 1.1, 2);
    const std::optional<double> seconds = SecondsToDecide(comparison);
    ASSERT_TRUE(seconds.has_value()) << ratio;
    EXPECT_TRUE(DecidesAfter(comparison, *seconds)) << ratio;
    // Room for another ratio next time, 1.33 in the width.
    EXPECT_TRUE(DecidesAfter(comparison, *seconds / 1.7)) << ratio;
    EXPECT_FALSE(DecidesAfter(comparison, *seconds / 1.8)) << ratio;
  }
}

TEST(SecondsToDecide, OfAGateFollowsFromItsLimits) {
  for (const GateSpec& spec :
       {GateSpec::MaxRatio(1.05), GateSpec::MinSpeedup(1.02), GateSpec::Equivalent(0.05)}) {
    Comparison comparison = Undecided(1.01, 1.1, 2);
    comparison.gate = GateResult{spec, Judge(spec, comparison.estimate()->interval)};
    const std::optional<double> seconds = SecondsToDecide(comparison);
    ASSERT_TRUE(seconds.has_value());
    EXPECT_TRUE(DecidesAfter(comparison, *seconds / 1.7));
    EXPECT_FALSE(DecidesAfter(comparison, *seconds / 1.8));
  }
}

TEST(SecondsToDecide, IsUnknownWhereTimeDoesNotHelp) {
  EXPECT_FALSE(SecondsToDecide(FasterComparison()).has_value());
  EXPECT_FALSE(SecondsToDecide(DryRunComparison()).has_value());
  Comparison comparison = Undecided(1, 1.1, 2);
  comparison.estimate()->runs = 1;
  EXPECT_FALSE(SecondsToDecide(comparison).has_value());
  comparison = Undecided(1, 1.1, 2);
  comparison.estimate()->lacks_work[0] = true;
  EXPECT_FALSE(SecondsToDecide(comparison).has_value());
  comparison = Undecided(1, HUGE_VAL, 2);
  EXPECT_FALSE(SecondsToDecide(comparison).has_value());
  EXPECT_FALSE(SecondsToDecide(Undecided(1, 1.1, 0)).has_value()) << "the time is not known";
}

TEST(DecisionTimeText, IsAboutSoLong) {
  // (1.33 * ln 1.1 / ln 1.01)^2 = 162.3
  EXPECT_EQ(DecisionTimeText(Undecided(1, 1.1, 0.1)), "about 17 s would decide");
  EXPECT_EQ(DecisionFlag(Undecided(1, 1.1, 0.1)), "--benchmark_min_time=17");
  EXPECT_EQ(DecisionTimeText(Undecided(1, 1.1, 1)), "about 3 min would decide");
  EXPECT_EQ(DecisionFlag(Undecided(1, 1.1, 1)), "--benchmark_min_time=170");
  EXPECT_EQ(DecisionTimeText(Undecided(1, 1.1, 100)), "about 5 h would decide");
  EXPECT_EQ(DecisionTimeText(Undecided(1, 1.1, 1000)), "more than a day would decide");
  EXPECT_EQ(DecisionFlag(Undecided(1, 1.1, 1000)), "");
  EXPECT_EQ(DecisionTimeText(FasterComparison()), "");
  EXPECT_EQ(DecisionFlag(FasterComparison()), "");
}

TEST(DecisionTimeText, ARatioOnTheLimitIsNotDecided) {
  Comparison comparison = Undecided(1.05, 1.1, 1);
  const GateSpec spec = GateSpec::MaxRatio(1.05);
  comparison.gate = GateResult{spec, GateOutcome::kInconclusive};
  EXPECT_EQ(DecisionTimeText(comparison), "more than a day would decide");
}

TEST(DecisionFlag, IsThatOfTheGateWhereItIsMeasuredUntilDecided) {
  Comparison comparison = Undecided(1, 1.1, 10);
  comparison.gate = GateResult{GateSpec::MaxRatio(1.05), GateOutcome::kInconclusive};
  EXPECT_EQ(DecisionFlag(comparison), "--benchmark_min_time=68");
  comparison.gate->share = 0.5;
  EXPECT_EQ(DecisionFlag(comparison), "--duet_max_time=68");
}

}  // namespace
}  // namespace duetbench
