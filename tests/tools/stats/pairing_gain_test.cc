#include "tools/stats/pairing_gain.h"

#include <cmath>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/decide/synthetic_runs.h"

namespace duetbench::stats {
namespace {

TEST(PairingGain, IsLargeWhenInterferenceHitsBothSides) {
  SyntheticRuns synthetic;
  synthetic.noise = 0.002;
  synthetic.run_effect = 0;
  synthetic.common = 0.05;
  const auto gain = ComputePairingGain(synthetic.Make(1), 1);
  ASSERT_TRUE(gain.has_value());
  // Run values of pairs: sd sqrt(2) 0.2 % / sqrt(100) = 0.03 %. Unrelated: the side that stays has
  // AR(1) means with sd 5 % sqrt(19 / 100) = 2.2 %.
  EXPECT_GT(gain->all, 40);
  EXPECT_LT(gain->all, 150);
  EXPECT_GT(gain->within, 1.5);
}

TEST(PairingGain, IsNoneWhenTheSidesAreIndependent) {
  SyntheticRuns synthetic;
  synthetic.runs = 30;
  synthetic.run_effect = 0;
  const auto gain = ComputePairingGain(synthetic.Make(2), 1);
  ASSERT_TRUE(gain.has_value());
  EXPECT_NEAR(gain->within, 1, 0.15);
  EXPECT_NEAR(gain->all, 1, 0.3);
}

TEST(PairingGain, AcrossRunsIsBelowOneWhenTheRatioDiffersFromRunToRun) {
  SyntheticRuns synthetic;
  synthetic.run_effect = 0.02;
  EXPECT_LT(ComputePairingGain(synthetic.Make(3), 1)->all, 0.9);
}

// Without trimming (fewer than four pairs per assignment) the mean does not see who is paired.
TEST(PairingGain, WithinRunsIsOneForAMean) {
  SyntheticRuns synthetic;
  synthetic.pairs = 3;
  synthetic.common = 0.05;
  EXPECT_NEAR(ComputePairingGain(synthetic.Make(4), 1)->within, 1, 1e-9);
}

TEST(PairingGain, KeepsTheAssignments) {
  // Without noise shuffling among equal times changes nothing: the CPUs' difference stays in place.
  SyntheticRuns synthetic;
  synthetic.noise = 0;
  synthetic.second_cpu_slower = 0.5;
  const auto gain = ComputePairingGain(synthetic.Make(5), 1);
  ASSERT_TRUE(gain.has_value());
  EXPECT_NEAR(gain->within, 1, 1e-9);
}

TEST(PairingGain, TreatsTheSidesAlike) {
  SyntheticRuns synthetic;
  synthetic.runs = 20;
  synthetic.run_effect = 0.02;
  auto runs = synthetic.Make(6);
  const double gain = ComputePairingGain(runs, 1)->all;
  for (RunPairs& run : runs) {
    for (Pair& pair : run) std::swap(pair.old_time, pair.new_time);
  }
  EXPECT_NEAR(ComputePairingGain(runs, 1)->all / gain, 1, 0.15);
}

TEST(PairingGain, DependsOnTheSeedOnly) {
  SyntheticRuns synthetic;
  synthetic.common = 0.05;
  const auto runs = synthetic.Make(6);
  EXPECT_EQ(ComputePairingGain(runs, 1)->all, ComputePairingGain(runs, 1)->all);
  EXPECT_NE(ComputePairingGain(runs, 1)->all, ComputePairingGain(runs, 2)->all);
}

TEST(PairingGain, ManyPairsAreThinned) {
  SyntheticRuns synthetic;
  synthetic.runs = 4;
  synthetic.pairs = 50000;
  synthetic.noise = 0.002;
  synthetic.run_effect = 0;
  synthetic.common = 0.05;
  const auto gain = ComputePairingGain(synthetic.Make(7), 1);
  ASSERT_TRUE(gain.has_value());
  EXPECT_GT(gain->all, 5);
}

TEST(PairingGain, NeedsTwoRunsAndSpread) {
  SyntheticRuns synthetic;
  synthetic.runs = 1;
  EXPECT_FALSE(ComputePairingGain(synthetic.Make(8), 1).has_value());
  synthetic.runs = 3;
  synthetic.noise = 0;
  synthetic.run_effect = 0;
  EXPECT_FALSE(ComputePairingGain(synthetic.Make(8), 1).has_value());
}

}  // namespace
}  // namespace duetbench::stats
