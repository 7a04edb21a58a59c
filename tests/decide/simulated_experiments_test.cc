// The product's driver and decision on a simulated machine: few of the experiments that
// tests/statistical/decision_alarm_test.cc makes.

#include "tests/statistical/simulated_experiments.h"

#include "gtest/gtest.h"
#include "tests/statistical/interval_tally.h"

namespace duetbench {
namespace {

TEST(SimulatedExperiments, VerdictsAreRight) {
  constexpr int kExperiments = 60;
  for (const double ratio : {0.5, 1.0, 2.0}) {
    const VerdictTally tally = SimulateVerdicts({"white", ratio}, kExperiments);
    EXPECT_EQ(tally.without_ratio, 0);
    EXPECT_LE(tally.wrong, stats::MostOf(kExperiments, 0.01)) << ratio;
    EXPECT_LE(tally.misses, stats::MostOf(kExperiments, 0.01)) << ratio;
    const auto right = ratio == 1  ? stats::Verdict::kEqual
                       : ratio < 1 ? stats::Verdict::kFaster
                                   : stats::Verdict::kSlower;
    EXPECT_GE(tally.verdicts[static_cast<int>(right)], kExperiments * 9 / 10) << ratio;
  }
}

TEST(SimulatedExperiments, GatesAreRightAndEarly) {
  constexpr int kExperiments = 20;
  GateTally same = SimulateGates({"white", 1}, GateSpec::MaxRatio(1.05), kExperiments);
  EXPECT_EQ(same.passed, kExperiments);
  EXPECT_LE(same.MedianRuns(), 12);
  GateTally slower = SimulateGates({"white", 1.1}, GateSpec::MaxRatio(1.05), kExperiments);
  EXPECT_EQ(slower.failed, kExperiments);
  EXPECT_LE(slower.MedianRuns(), 18);
}

}  // namespace
}  // namespace duetbench
