#ifndef DUETBENCH_DECIDE_DIAGNOSIS_H_
#define DUETBENCH_DECIDE_DIAGNOSIS_H_

#include <cstddef>
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

// A result has a few of these tests, a suite dozens of results: at 0.1 % one false finding comes up
// in several suites of forty benchmarks, not in each.
inline constexpr double kDiagnosisAlpha = 0.001;

// Findings about an experiment from its pairs. The estimator is kTrimmed throughout. A finding that
// cannot be made (too few runs, no spread) is absent, never NaN.
struct Diagnosis {
  std::size_t runs;

  // Groups among the run values, ascending (clusters.h); one if nothing speaks for more.
  std::vector<Cluster> clusters;

  // Change of the run values from the first to the last run (Theil-Sen). Mann-Kendall test; from 8
  // runs on.
  std::optional<Effect> run_drift;
};

// Computes all of it. InvalidArgument if CheckRuns fails.
//
// False alarms on clean data, simulated (5, 10 and 30 runs; run effects normal or t with 3 degrees
// of freedom; with and without 2 % private spikes; and the noise models A to D of
// interim_analysis.h; 20,000 experiments): run_drift is significant in 0.1 % of experiments; more than one
// cluster in less than 0.1 %.
//
// More than 2000 runs are condensed to 2000 for run_drift.
absl::StatusOr<Diagnosis> Diagnose(absl::Span<const RunPairs> runs);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_DIAGNOSIS_H_
