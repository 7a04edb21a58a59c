#include "duetbench/runner/gate.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

using stats::GateOutcome;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

GateOutcome Of(const GateDemand& demand, double lo, double hi) {
  return Judge(demand, {(lo + hi) / 2, lo, hi, 0.99, stats::IntervalKind::kT, ""});
}

TEST(GateDemandTest, IsARangeOfRatios) {
  EXPECT_FALSE(GateDemand().exists());
  EXPECT_EQ(GateDemand().lo(), 0);
  EXPECT_EQ(GateDemand().hi(), HUGE_VAL);
  EXPECT_TRUE(GateDemand::MaxRatio(1.05).exists());
  EXPECT_EQ(GateDemand::MaxRatio(1.05).lo(), 0);
  EXPECT_EQ(GateDemand::MaxRatio(1.05).hi(), 1.05);
  EXPECT_EQ(GateDemand::MinSpeedup(1.25).lo(), 0);
  EXPECT_DOUBLE_EQ(GateDemand::MinSpeedup(1.25).hi(), 0.8);
  EXPECT_DOUBLE_EQ(GateDemand::Equivalent(0.25).lo(), 0.8);
  EXPECT_DOUBLE_EQ(GateDemand::Equivalent(0.25).hi(), 1.25);
}

TEST(GateDemandTest, TakesWhatMakesSense) {
  using Kind = GateDemand::Kind;
  for (const Kind kind : {Kind::kMaxRatio, Kind::kMinSpeedup, Kind::kEquivalent}) {
    EXPECT_TRUE(GateDemand::Allows(kind, 0.02));
    for (const double value : {0.0, -1.0, kNan, HUGE_VAL, 1e-320}) {
      EXPECT_FALSE(GateDemand::Allows(kind, value)) << value;
    }
  }
  EXPECT_TRUE(GateDemand::Allows(Kind::kMaxRatio, 3));
  EXPECT_FALSE(GateDemand::Allows(Kind::kEquivalent, 1)) << "more than any would say so";
}

TEST(GateDemandDeathTest, RefusesTheRest) {
  EXPECT_DEATH(GateDemand::MaxRatio(0), "such as 1.05");
  EXPECT_DEATH(GateDemand::MinSpeedup(-2), "such as 1.2");
  EXPECT_DEATH(GateDemand::Equivalent(5), "such as 0.02");
}

TEST(Judge, MaxRatio) {
  const GateDemand demand = GateDemand::MaxRatio(1.05);
  EXPECT_EQ(Of(demand, 0.9, 1.05), GateOutcome::kPass);
  EXPECT_EQ(Of(demand, 1.0, 1.06), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(demand, 1.05, 1.06), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(demand, 1.051, 1.06), GateOutcome::kFail);
  EXPECT_EQ(Of(demand, 0, HUGE_VAL), GateOutcome::kInconclusive);
}

TEST(Judge, MinSpeedup) {
  const GateDemand demand = GateDemand::MinSpeedup(1.25);
  EXPECT_EQ(Of(demand, 0.7, 0.79), GateOutcome::kPass);
  EXPECT_EQ(Of(demand, 0.7, 0.81), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(demand, 0.81, 0.82), GateOutcome::kFail) << "faster, but not so much";
}

TEST(Judge, Equivalent) {
  const GateDemand demand = GateDemand::Equivalent(0.02);
  EXPECT_EQ(Of(demand, 0.99, 1.01), GateOutcome::kPass);
  EXPECT_EQ(Of(demand, 0.97, 1.01), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(demand, 0.99, 1.03), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(demand, 0.9, 1.2), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(demand, 1.03, 1.04), GateOutcome::kFail);
  EXPECT_EQ(Of(demand, 0.95, 0.97), GateOutcome::kFail) << "faster is not equal either";
}

TEST(Judge, NothingFollowsFromNaN) {
  EXPECT_EQ(Of(GateDemand::MaxRatio(1), kNan, kNan), GateOutcome::kInconclusive);
  EXPECT_EQ(Of(GateDemand::Equivalent(0.1), kNan, 1), GateOutcome::kInconclusive);
}

TEST(EndsMeasuring, APassDoesAndAFailThatStandsInALargeSuite) {
  GateResult gate;
  gate.outcome = GateOutcome::kPass;
  EXPECT_TRUE(EndsMeasuring(gate, 0.99));
  gate.outcome = GateOutcome::kInconclusive;
  EXPECT_FALSE(EndsMeasuring(gate, 0.99));
  gate.outcome = GateOutcome::kFail;
  gate.p = 0.009;
  EXPECT_FALSE(EndsMeasuring(gate, 0.99));
  gate.p = 0.9e-5;
  EXPECT_TRUE(EndsMeasuring(gate, 0.99));
  EXPECT_FALSE(EndsMeasuring(gate, 0.999));
}

}  // namespace
}  // namespace duetbench
