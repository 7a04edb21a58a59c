#ifndef DUETBENCH_TOOLS_STATS_PLANNING_H_
#define DUETBENCH_TOOLS_STATS_PLANNING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace duetbench::stats {

// Design of the next experiment from the data of one, beside duetbench/decision/planning.h.

// Contributions of pairs and runs to the spread of log-ratios (Kalibera and Jones, 'Rigorous
// benchmarking in reasonable time', ISMM 2013, section 6). All are variances, dimensionless.
struct VarianceComponents {
  double s1_2;  // S_1^2: of the pairs within runs, pooled
  double s2_2;  // S_2^2: of the run means
  double t2_2;  // T_2^2 = S_2^2 - S_1^2 mean(1 / n_r): of what differs between runs, unbiased. May
                // come out negative; whatever uses it takes 0 instead
};

// `runs` are the values of each run; their numbers may differ (pairs are dropped when disturbed).
// At least two runs, no empty run, and one run of at least two values, or the program stops. O(n).
VarianceComponents RunVarianceComponents(absl::Span<const std::vector<double>> runs);

// The number of pairs a run that gives the narrowest interval in a given total time, not rounded:
// sqrt(run_cost / pair_cost * S_1^2 / T_2^2) (section 6.3). Infinite where runs do not differ
// (T_2^2 <= 0), 0 where pairs do not; use max(1, ceil()). Costs are times in one unit: of starting
// a run (>= 0), of one more pair (> 0).
double BestPairsPerRun(const VarianceComponents& components, double run_cost, double pair_cost);

// The minimal detectable slow-down of Laaber et al., EMSE 2019, section 5.4, as a cross-check that
// assumes no distribution.
struct ResampledMds {
  double slowdown;              // smallest of the list that is found; infinite if none is
  double paper_slowdown;        // the same with at most 5 % false alarms, as the paper asks
  int false_alarms;             // of the resamplings without slow-down
  std::vector<int> detections;  // for each slow-down of the list
};

struct ResampledMdsOptions {
  double alpha = 0.05;
  int resamplings = 100;
  int detections_needed = 95;
  std::vector<double> slowdowns = {0.001, 0.002, 0.005, 0.01, 0.015, 0.02,
                                   0.05,  0.1,   0.5,   1.0,  10.0};
};

// Draws as many runs as there are, with replacement, from the log-ratios less their mean (so that
// an A/B result can be used, too), adds ln(1 + slow-down), and counts how often the t interval says
// slower; without slow-down, how often it says slower or faster. The same draws serve each
// slow-down of the list. InvalidArgument for fewer than 3 runs or a value that is not finite.
//
// More false alarms than the 99.5 % limit of the binomial distribution at `alpha` (FalseAlarmLimit:
// 11 of 100 at 5 %, 4 at 1 %) mean that nothing is found. The paper allows 5 of 100 whatever the
// level; an exactly valid test at 5 % fails that in 38 % of tries, so `paper_slowdown` is beside
// ours.
absl::StatusOr<ResampledMds> ResampleMds(absl::Span<const double> run_log_ratios,
                                         const ResampledMdsOptions& options, std::uint64_t seed);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_PLANNING_H_
