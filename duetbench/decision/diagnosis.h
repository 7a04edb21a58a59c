#ifndef DUETBENCH_DECISION_DIAGNOSIS_H_
#define DUETBENCH_DECISION_DIAGNOSIS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/stats/clusters.h"
#include "duetbench/stats/pairs.h"

namespace duetbench::stats {

// A systematic effect on ln(new/old), and whether it is more than chance.
struct Effect {
  double log_ratio;  // its size, in the sense stated where it is used
  double p;          // of 'there is none'
  bool significant;  // p <= kDiagnosisAlpha
};

// A result has five of these tests, a suite dozens of results: at 0.1 % one false finding comes up
// in five suites of forty benchmarks, not in each.
inline constexpr double kDiagnosisAlpha = 0.001;

// The difference between the mean and the trimmed mean of the log-ratios.
struct TailDifference {
  double mean_log_ratio;     // without trimming, per stratum like the trimmed one
  double trimmed_log_ratio;  // the default estimator
  double p;      // of 'their difference is zero on average over the runs': a t test of the runs'
                 // differences, which is free of the run effect that both intervals share
  bool differs;  // p <= kDiagnosisAlpha: the interval of the difference excludes zero
};

// Findings about an experiment from its pairs. The estimator is kTrimmed throughout. A finding that
// cannot be made (too few runs, no spread, a single CPU assignment) is absent, never NaN.
struct Diagnosis {
  std::size_t runs;
  std::size_t pairs;

  // From 2 runs on: see pairing_gain.h.
  std::optional<double> pairing_gain;      // shuffled within runs
  std::optional<double> pairing_gain_all;  // shuffled across everything, as in the paper
  // True if pairing_gain_all is beyond chance for this number of runs when the two variants are
  // independent, at 0.5 %, and the variants are correlated by at least 0.2.
  bool pairing_helped;

  // Correlation of ln(old) and ln(new) of a pair, within strata of the runs, pooled. Close to 1
  // where interference dominates and hits both variants.
  std::optional<double> correlation;

  // Autocorrelation at lag 1 of the influence values (InfluenceValues) of the pairs: mean over
  // runs.
  std::optional<double> lag1;

  // Standard deviation of what differs between runs over that of a pair within a run, sqrt(T_2^2 /
  // S_1^2) in the terms of Kalibera and Jones, with influence values for log-ratios. 0 when runs
  // differ no more than their pairs explain. From 2 runs on.
  std::optional<double> run_to_noise;

  // Log-ratio under assignment 0 less that under assignment 1: twice what one CPU (or, interleaved,
  // the second place in a pair) costs. t test over runs; from 3 runs with both assignments on.
  std::optional<Effect> side_bias;

  // Groups among the run values, ascending (clusters.h); one if nothing speaks for more.
  std::vector<Cluster> clusters;

  // Change of the run values from the first to the last run (Theil-Sen). Mann-Kendall test; from 8
  // runs on.
  std::optional<Effect> run_drift;

  std::optional<TailDifference> tails;  // from 3 runs on
};

// Computes all of it. `seed` decides the shuffles only. InvalidArgument if CheckRuns fails.
//
// False alarms on clean data, measured in tests/statistical/diagnosis_alarm_test.cc (5, 10 and 30
// runs; run effects normal or t with 3 degrees of freedom; with and without 2 % private spikes; and
// its noise models A to D): side_bias, run_drift and tails are significant in 0.1 % of
// experiments; more than one cluster in less than 0.1 %; pairing_helped in none of 20,000 without
// common interference.
//
// 40 runs of 500 pairs take 10 ms, of which the shuffles are four fifths. More than 2000 runs are
// condensed to 2000 for run_drift.
absl::StatusOr<Diagnosis> Diagnose(absl::Span<const RunPairs> runs, std::uint64_t seed = 1);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECISION_DIAGNOSIS_H_
