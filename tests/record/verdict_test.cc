#include "duetbench/record/verdict.h"

#include <cmath>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(GateSpecTest, IsARangeOfRatios) {
  EXPECT_EQ(GateSpec::MaxRatio(1.05).lo(), 0);
  EXPECT_EQ(GateSpec::MaxRatio(1.05).hi(), 1.05);
  EXPECT_EQ(GateSpec::MinSpeedup(1.25).lo(), 0);
  EXPECT_DOUBLE_EQ(GateSpec::MinSpeedup(1.25).hi(), 0.8);
  EXPECT_EQ(GateSpec::MinRatio(0.98).lo(), 0.98);
  EXPECT_EQ(GateSpec::MinRatio(0.98).hi(), HUGE_VAL);
  EXPECT_DOUBLE_EQ(GateSpec::Equivalent(0.25).lo(), 0.8);
  EXPECT_DOUBLE_EQ(GateSpec::Equivalent(0.25).hi(), 1.25);
}

TEST(GateSpecTest, TakesWhatMakesSense) {
  using Kind = GateSpec::Kind;
  for (const Kind kind : {Kind::kMaxRatio, Kind::kMinSpeedup, Kind::kMinRatio, Kind::kEquivalent}) {
    EXPECT_TRUE(GateSpec::IsValid(kind, 0.02));
    for (const double value : {0.0, -1.0, std::nan(""), HUGE_VAL, 1e-320}) {
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

}  // namespace
}  // namespace duetbench
