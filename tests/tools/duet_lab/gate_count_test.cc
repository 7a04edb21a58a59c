#include <cmath>

#include "gtest/gtest.h"
#include "tools/duet_lab/accuracy.h"

namespace duetbench::lab {
namespace {

Observation Gate(int outcome, int runs, double seconds) {
  Observation observation;
  observation.gate = outcome;
  observation.runs = runs;
  observation.gate_seconds = seconds;
  return observation;
}

TEST(GateCount, DecisionsAreRightOrWrongByTheTruth) {
  Observation failed;
  failed.error = "new was killed";
  const GateCount count = CountGates({Gate(1, 5, 0.2), Gate(-1, 8, 0.3), Gate(1, 12, 0.4),
                                      Gate(-1, 5, 0.2), Gate(0, 300, 10), failed, Observation()},
                                     {1, 1, 1.1, 1.1, 1.05, 1, 1}, 1.05);
  EXPECT_EQ(count.gates, 5);
  EXPECT_EQ(count.errors, 2) << "one of them had no gate";
  EXPECT_EQ(count.passed, 2);
  EXPECT_EQ(count.failed, 2);
  EXPECT_EQ(count.undecided, 1);
  EXPECT_EQ(count.false_decisions, 2);
  EXPECT_EQ(count.median_runs, 8);
  EXPECT_DOUBLE_EQ(count.median_seconds, 0.3);
  EXPECT_DOUBLE_EQ(count.largest_seconds, 10);
  EXPECT_NEAR(count.all_seconds, 11.1, 1e-9);
}

TEST(GateCount, ATruthAtTheLimitMayPassAndMustNotFail) {
  EXPECT_EQ(CountGates({Gate(1, 5, 1), Gate(-1, 5, 1)}, {1.05, 1.05}, 1.05).false_decisions, 1);
}

TEST(GateCount, OfNothing) {
  const GateCount count = CountGates({}, {}, 1.05);
  EXPECT_EQ(count.gates, 0);
  EXPECT_TRUE(std::isnan(count.median_seconds));
}

}  // namespace
}  // namespace duetbench::lab
