#include "duetbench/decision/diagnosis.h"

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "duetbench/stats/estimator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decision/synthetic_runs.h"

namespace duetbench::stats {
namespace {

using ::testing::SizeIs;

// In how many of 50 experiments `finding` holds.
int FoundIn50(const SyntheticRuns& synthetic,
              const std::function<bool(const Diagnosis&)>& finding) {
  int found = 0;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    if (finding(*Diagnose(synthetic.Make(seed)))) ++found;
  }
  return found;
}

TEST(Diagnosis, CleanDataHasNoFindings) {
  SyntheticRuns synthetic;
  synthetic.spikes = 0.005;
  const Diagnosis diagnosis = *Diagnose(synthetic.Make(1));
  EXPECT_EQ(diagnosis.runs, 10u);
  EXPECT_EQ(diagnosis.pairs, 1000u);
  EXPECT_FALSE(diagnosis.pairing_helped);
  EXPECT_NEAR(*diagnosis.correlation, 0, 0.15);
  EXPECT_NEAR(*diagnosis.lag1, 0, 0.1);
  EXPECT_FALSE(diagnosis.side_bias->significant);
  EXPECT_THAT(diagnosis.clusters, SizeIs(1));
  EXPECT_FALSE(diagnosis.run_drift->significant);
  EXPECT_FALSE(diagnosis.tails->differs);
}

// A real slow-down in 5 % of the iterations must not vanish behind the trimmed mean.
TEST(Diagnosis, FindsASlowdownInFivePercentOfTheIterations) {
  SyntheticRuns synthetic;
  synthetic.slow_share = 0.05;
  synthetic.slow_size = std::log(1.8);
  EXPECT_GE(FoundIn50(synthetic, [](const Diagnosis& d) { return d.tails->differs; }), 46);
  synthetic.pairs = 500;
  EXPECT_EQ(FoundIn50(synthetic, [](const Diagnosis& d) { return d.tails->differs; }), 50);
  const Diagnosis diagnosis = *Diagnose(synthetic.Make(1));
  EXPECT_NEAR(diagnosis.tails->mean_log_ratio, 0.05 * std::log(1.8), 0.006);
  EXPECT_NEAR(diagnosis.tails->trimmed_log_ratio, 0, 0.003);
  // The effect of the runs, which both estimates share, does not hide it.
  synthetic.run_effect = 0.05;
  EXPECT_EQ(FoundIn50(synthetic, [](const Diagnosis& d) { return d.tails->differs; }), 50);
}

TEST(Diagnosis, FindsTwoClusters) {
  SyntheticRuns synthetic;
  synthetic.run_effect = 0.0005;
  synthetic.shifted_runs = 3;
  synthetic.shift = 0.02;
  EXPECT_GE(FoundIn50(synthetic,
                      [](const Diagnosis& d) {
                        return d.clusters.size() == 2 && d.clusters[1].size == 3 &&
                               std::fabs(d.clusters[1].center - d.clusters[0].center - 0.02) <
                                   0.004;
                      }),
            40);
  synthetic.runs = 30;
  synthetic.shifted_runs = 8;
  EXPECT_GE(FoundIn50(synthetic,
                      [](const Diagnosis& d) {
                        return d.clusters.size() == 2 && d.clusters[1].size == 8;
                      }),
            44);
}

TEST(Diagnosis, FindsSideBias) {
  SyntheticRuns synthetic;
  synthetic.second_cpu_slower = 0.013;
  EXPECT_EQ(FoundIn50(synthetic,
                      [](const Diagnosis& d) {
                        return d.side_bias->significant &&
                               std::fabs(d.side_bias->log_ratio + 2 * 0.013) < 0.005;
                      }),
            50);
  // And it stays out of everything else.
  EXPECT_EQ(FoundIn50(synthetic,
                      [](const Diagnosis& d) {
                        return d.tails->differs || d.clusters.size() > 1 || *d.lag1 > 0.2;
                      }),
            0);
}

TEST(Diagnosis, FindsDriftOverRuns) {
  SyntheticRuns synthetic;
  synthetic.run_drift = 0.05;
  EXPECT_EQ(FoundIn50(synthetic,
                      [](const Diagnosis& d) {
                        return d.run_drift->significant &&
                               std::fabs(d.run_drift->log_ratio - 0.05) < 0.01;
                      }),
            50);
}

TEST(Diagnosis, FindsThatPairingHelped) {
  SyntheticRuns synthetic;
  synthetic.common = 0.05;
  EXPECT_GE(FoundIn50(synthetic, [](const Diagnosis& d) { return d.pairing_helped; }), 35);
  synthetic.runs = 30;
  EXPECT_EQ(FoundIn50(synthetic,
                      [](const Diagnosis& d) {
                        return d.pairing_helped && *d.correlation > 0.9 && *d.pairing_gain_all > 2;
                      }),
            50);
}

TEST(Diagnosis, RunToNoiseIsTheShareOfTheRuns) {
  SyntheticRuns synthetic;
  synthetic.runs = 40;
  synthetic.run_effect = 0.01;
  synthetic.noise = 0.01;
  double sum = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    sum += *Diagnose(synthetic.Make(seed))->run_to_noise / 20;
  }
  // The mean of the middle half of normal values has 1.2 times the variance of their mean.
  EXPECT_NEAR(sum, 0.01 / (std::sqrt(1.2) * std::sqrt(2.0) * 0.01), 0.05);
  synthetic.run_effect = 0;
  EXPECT_LT(*Diagnose(synthetic.Make(1))->run_to_noise, 0.1);
}

TEST(Diagnosis, Lag1SeesDependenceOfTheRatio) {
  SyntheticRuns synthetic;
  synthetic.common = 0.5;  // cancels in the ratio
  EXPECT_NEAR(*Diagnose(synthetic.Make(1))->lag1, 0, 0.1);
  std::vector<RunPairs> runs = synthetic.Make(1);
  for (RunPairs& run : runs) {
    for (std::size_t i = 0; i < run.size(); ++i) {
      run[i] = {1, std::exp(0.01 * std::sin(0.05 * static_cast<double>(i))), 0};
    }
  }
  EXPECT_GT(*Diagnose(runs)->lag1, 0.9);
}

TEST(Diagnosis, SwappingTheSidesTurnsTheSigns) {
  SyntheticRuns synthetic;
  synthetic.slow_share = 0.05;
  synthetic.slow_size = 0.5;
  synthetic.second_cpu_slower = 0.01;
  const auto runs = synthetic.Make(3);
  std::vector<RunPairs> swapped = runs;
  for (RunPairs& run : swapped) {
    for (Pair& pair : run) std::swap(pair.old_time, pair.new_time);
  }
  const Diagnosis one = *Diagnose(runs);
  const Diagnosis other = *Diagnose(swapped);
  EXPECT_NEAR(one.side_bias->log_ratio, -other.side_bias->log_ratio, 1e-12);
  EXPECT_NEAR(one.tails->mean_log_ratio, -other.tails->mean_log_ratio, 1e-12);
  EXPECT_NEAR(one.run_drift->log_ratio, -other.run_drift->log_ratio, 1e-12);
  EXPECT_NEAR(*one.correlation, *other.correlation, 1e-12);
  EXPECT_NEAR(*one.lag1, *other.lag1, 1e-9);
  EXPECT_NEAR(*one.run_to_noise, *other.run_to_noise, 1e-9);
}

TEST(Diagnosis, DoesNotDependOnTheUnit) {
  const auto runs = SyntheticRuns().Make(4);
  std::vector<RunPairs> scaled = runs;
  for (RunPairs& run : scaled) {
    for (Pair& pair : run) {
      pair.old_time *= 4096;
      pair.new_time *= 4096;
    }
  }
  EXPECT_NEAR(*Diagnose(runs)->pairing_gain_all, *Diagnose(scaled)->pairing_gain_all, 1e-9);
  EXPECT_NEAR(*Diagnose(runs)->correlation, *Diagnose(scaled)->correlation, 1e-9);
}

TEST(Diagnosis, TakesTheDefaultEstimator) {
  const auto runs = SyntheticRuns().Make(5);
  double sum = 0;
  for (const RunPairs& run : runs) sum += *RunLogRatio(run, Estimator::kTrimmed);
  EXPECT_NEAR(Diagnose(runs)->tails->trimmed_log_ratio, sum / 10, 1e-12);
  EXPECT_NEAR(Diagnose(runs)->clusters[0].center, sum / 10, 1e-12);
}

TEST(Diagnosis, WhatCannotBeSaidIsAbsent) {
  const Diagnosis smallest = *Diagnose(std::vector<RunPairs>{{{1, 2, 0}}});
  EXPECT_EQ(smallest.pairs, 1u);
  EXPECT_FALSE(smallest.pairing_gain.has_value());
  EXPECT_FALSE(smallest.correlation.has_value());
  EXPECT_FALSE(smallest.lag1.has_value());
  EXPECT_FALSE(smallest.run_to_noise.has_value());
  EXPECT_FALSE(smallest.side_bias.has_value());
  EXPECT_FALSE(smallest.run_drift.has_value());
  EXPECT_FALSE(smallest.tails.has_value());
  EXPECT_THAT(smallest.clusters, SizeIs(1));

  SyntheticRuns synthetic;
  synthetic.runs = 1;
  const Diagnosis one_run = *Diagnose(synthetic.Make(1));
  EXPECT_TRUE(one_run.correlation.has_value());
  EXPECT_TRUE(one_run.lag1.has_value());
  EXPECT_FALSE(one_run.tails.has_value());

  // Equal times everywhere: no spread, no correlation, no findings.
  const std::vector<RunPairs> equal(10, RunPairs(30, Pair{0.1, 0.3, 0}));
  const Diagnosis constant = *Diagnose(equal);
  EXPECT_FALSE(constant.correlation.has_value());
  EXPECT_FALSE(constant.pairing_gain.has_value());
  EXPECT_FALSE(constant.side_bias.has_value());
  EXPECT_FALSE(constant.tails->differs);
  EXPECT_FALSE(constant.run_drift->significant);
  EXPECT_THAT(constant.clusters, SizeIs(1));

  // Nor where rounding makes half of them a little longer.
  std::vector<RunPairs> rounded = equal;
  for (RunPairs& run : rounded) {
    for (std::size_t i = 0; i < run.size() / 2; ++i) run[i].new_time = std::nextafter(0.3, 1.0);
  }
  const Diagnosis nearly_constant = *Diagnose(rounded);
  EXPECT_FALSE(nearly_constant.lag1.has_value());
  EXPECT_FALSE(nearly_constant.run_to_noise.has_value());
}

TEST(Diagnosis, ManyRuns) {
  SyntheticRuns synthetic;
  synthetic.runs = 5001;
  synthetic.pairs = 2;
  synthetic.run_drift = 0.05;
  const Diagnosis diagnosis = *Diagnose(synthetic.Make(1));
  EXPECT_TRUE(diagnosis.run_drift->significant);
  EXPECT_NEAR(diagnosis.run_drift->log_ratio, 0.05, 0.005);
}

TEST(Diagnosis, RefusesBadPairs) {
  EXPECT_FALSE(Diagnose(std::vector<RunPairs>{}).ok());
  EXPECT_FALSE(Diagnose(std::vector<RunPairs>{{{1, 0, 0}}}).ok());
}

}  // namespace
}  // namespace duetbench::stats
