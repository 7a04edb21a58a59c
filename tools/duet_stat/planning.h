#ifndef DUETBENCH_TOOLS_DUET_STAT_PLANNING_H_
#define DUETBENCH_TOOLS_DUET_STAT_PLANNING_H_

#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/stats/pairs.h"
#include "tools/duet_stat/options.h"
#include "tools/stats/planning.h"

namespace duetbench::duet_stat {

// Advice for the next experiment of this kind. Fields that the data cannot tell are absent.
struct Planning {
  // Variance of ln(new/old) within and between runs (S_1^2, T_2^2 of Kalibera and Jones; T_2^2 may
  // come out negative). From 2 runs on, one of which has 2 pairs.
  std::optional<double> s1_2;
  std::optional<double> t2_2;
  // Pairs a run for the narrowest interval in a given time; infinite where runs do not differ.
  std::optional<double> best_pairs;
  double run_cost_s = 0;   // that this is for
  double pair_cost_s = 0;  // mean time of the longer variant of a pair, times being in ns

  // Smallest slow-down that the t interval at the first level finds in 95 of 100 experiments with
  // as many runs (0.01: 1 %), and the same with the spread at its 90 % upper limit. From 2 runs on.
  std::optional<double> mds;
  std::optional<double> mds_upper;
  std::optional<stats::ResampledMds> resampled;  // if asked for; from 3 runs on
};

// `run_log_ratios` are those of the first estimator, `pair_seconds` is what a pair took on average.
// `runs` must pass CheckRuns.
Planning Plan(absl::Span<const stats::RunPairs> runs, double pair_seconds,
              const std::vector<double>& run_log_ratios, const Options& options);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_PLANNING_H_
