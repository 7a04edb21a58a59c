#include "duetbench/decide/diagnosis.h"

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "duetbench/stats/estimator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decide/synthetic_runs.h"

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
  EXPECT_THAT(diagnosis.clusters, SizeIs(1));
  EXPECT_FALSE(diagnosis.run_drift->significant);
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

// It is in the assignments alike, and stays out of everything.
TEST(Diagnosis, ASlowerCpuIsNoFinding) {
  SyntheticRuns synthetic;
  synthetic.second_cpu_slower = 0.013;
  EXPECT_EQ(FoundIn50(synthetic, [](const Diagnosis& d) { return d.clusters.size() > 1; }), 0);
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
  EXPECT_NEAR(one.run_drift->log_ratio, -other.run_drift->log_ratio, 1e-12);
}

TEST(Diagnosis, TakesTheDefaultEstimator) {
  const auto runs = SyntheticRuns().Make(5);
  double sum = 0;
  for (const RunPairs& run : runs) sum += *RunLogRatio(run, Estimator::kTrimmed);
  EXPECT_NEAR(Diagnose(runs)->clusters[0].center, sum / 10, 1e-12);
}

TEST(Diagnosis, WhatCannotBeSaidIsAbsent) {
  const Diagnosis smallest = *Diagnose(std::vector<RunPairs>{{{1, 2, 0}}});
  EXPECT_FALSE(smallest.run_drift.has_value());
  EXPECT_THAT(smallest.clusters, SizeIs(1));

  // Equal times everywhere: no spread, no findings.
  const std::vector<RunPairs> equal(10, RunPairs(30, Pair{0.1, 0.3, 0}));
  const Diagnosis constant = *Diagnose(equal);
  EXPECT_FALSE(constant.run_drift->significant);
  EXPECT_THAT(constant.clusters, SizeIs(1));
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
