#include "duetbench/gates/gate.h"

#include <cmath>
#include <limits>
#include <optional>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

GateOutcome Of(const GateSpec& spec, double lo, double hi) {
  return Judge(spec, {(lo + hi) / 2, lo, hi, 0.99, stats::IntervalKind::kT, ""});
}

TEST(GateSpecTest, IsARangeOfRatios) {
  EXPECT_EQ(GateSpec::MaxRatio(1.05).lo(), 0);
  EXPECT_EQ(GateSpec::MaxRatio(1.05).hi(), 1.05);
  EXPECT_EQ(GateSpec::MinSpeedup(1.25).lo(), 0);
  EXPECT_DOUBLE_EQ(GateSpec::MinSpeedup(1.25).hi(), 0.8);
  EXPECT_DOUBLE_EQ(GateSpec::Equivalent(0.25).lo(), 0.8);
  EXPECT_DOUBLE_EQ(GateSpec::Equivalent(0.25).hi(), 1.25);
}

TEST(GateSpecTest, TakesWhatMakesSense) {
  using Kind = GateSpec::Kind;
  for (const Kind kind : {Kind::kMaxRatio, Kind::kMinSpeedup, Kind::kEquivalent}) {
    EXPECT_TRUE(GateSpec::IsValid(kind, 0.02));
    for (const double value : {0.0, -1.0, kNan, HUGE_VAL, 1e-320}) {
      EXPECT_FALSE(GateSpec::IsValid(kind, value)) << value;
    }
  }
  EXPECT_TRUE(GateSpec::IsValid(Kind::kMaxRatio, 3));
  EXPECT_FALSE(GateSpec::IsValid(Kind::kEquivalent, 1)) << "more than any would say so";
}

TEST(GateDemandDeathTest, RefusesTheRest) {
  EXPECT_DEATH(GateSpec::MaxRatio(0), "such as 1.05");
  EXPECT_DEATH(GateSpec::MinSpeedup(-2), "such as 1.2");
  EXPECT_DEATH(GateSpec::Equivalent(5), "such as 0.02");
}

TEST(Judge, MaxRatio) {
  const GateSpec spec = GateSpec::MaxRatio(1.05);
  EXPECT_EQ(Of(spec, 0.9, 1.05), GateOutcome::kPass);
  EXPECT_EQ(Of(spec, 1.0, 1.06), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(spec, 1.05, 1.06), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(spec, 1.051, 1.06), GateOutcome::kFail);
  EXPECT_EQ(Of(spec, 0, HUGE_VAL), GateOutcome::kInconclusive);
}

TEST(Judge, MinSpeedup) {
  const GateSpec spec = GateSpec::MinSpeedup(1.25);
  EXPECT_EQ(Of(spec, 0.7, 0.79), GateOutcome::kPass);
  EXPECT_EQ(Of(spec, 0.7, 0.81), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(spec, 0.81, 0.82), GateOutcome::kFail) << "faster, but not so much";
}

TEST(Judge, Equivalent) {
  const GateSpec spec = GateSpec::Equivalent(0.02);
  EXPECT_EQ(Of(spec, 0.99, 1.01), GateOutcome::kPass);
  EXPECT_EQ(Of(spec, 0.97, 1.01), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(spec, 0.99, 1.03), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(spec, 0.9, 1.2), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(spec, 1.03, 1.04), GateOutcome::kFail);
  EXPECT_EQ(Of(spec, 0.95, 0.97), GateOutcome::kFail) << "faster is not equal either";
}

TEST(Judge, AnOpenTotalRatioMustAgree) {
  const GateSpec spec = GateSpec::MaxRatio(1.05);
  const stats::RatioInterval below = {0.95, 0.9, 1, 0.99, stats::IntervalKind::kT, ""};
  const stats::RatioInterval above = {1.15, 1.1, 1.2, 0.99, stats::IntervalKind::kT, ""};
  EXPECT_EQ(Judge(spec, below, std::nullopt), GateOutcome::kPass);
  EXPECT_EQ(Judge(spec, below, 1.04), GateOutcome::kPass);
  EXPECT_EQ(Judge(spec, below, 1.06), GateOutcome::kInconclusive);
  EXPECT_EQ(Judge(spec, above, 1.06), GateOutcome::kFail);
  EXPECT_EQ(Judge(spec, above, 1.04), GateOutcome::kInconclusive);
}

TEST(Judge, NothingFollowsFromNaN) {
  EXPECT_EQ(Of(GateSpec::MaxRatio(1), kNan, kNan), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(GateSpec::Equivalent(0.1), kNan, 1), GateOutcome::kInconclusive);
}

TEST(EndsMeasuring, APassDoesAndAFailThatStandsInALargeSuite) {
  EXPECT_TRUE(EndsMeasuring(GateOutcome::kPass, 1, 0.99));
  EXPECT_FALSE(EndsMeasuring(GateOutcome::kInconclusive, 1, 0.99));
  EXPECT_FALSE(EndsMeasuring(GateOutcome::kFail, 0.009, 0.99));
  EXPECT_TRUE(EndsMeasuring(GateOutcome::kFail, 0.9e-5, 0.99));
  EXPECT_FALSE(EndsMeasuring(GateOutcome::kFail, 0.9e-5, 0.999));
}

TEST(GateOutcomeName, IsThatOfTheReport) {
  EXPECT_STREQ(GateOutcomeName(GateOutcome::kPass), "PASS");
  EXPECT_STREQ(GateOutcomeName(GateOutcome::kFail), "FAIL");
  EXPECT_STREQ(GateOutcomeName(GateOutcome::kInconclusive), "INCONCLUSIVE");
}

}  // namespace
}  // namespace duetbench
