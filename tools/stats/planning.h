#ifndef DUETBENCH_TOOLS_STATS_PLANNING_H_
#define DUETBENCH_TOOLS_STATS_PLANNING_H_

#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/pairs.h"

namespace duetbench::stats {

// Design of the next experiment from the data of one.

// The smallest slow-down that an experiment can find, and the cost of finding a given one. `spread`
// (written s below) is the standard deviation of the runs' ln(new/old); a slow-down of x means
// new/old = 1 + x. All of it holds for the t interval over runs. Arguments outside the stated
// ranges stop the program.

// Definition of 'find': the two-sided t test at `alpha` (the interval at level 1 - alpha excludes
// 1) succeeds with probability `power`. Both in (0, 1); power above 1/2.
struct Detection {
  double alpha = 0.05;
  double power = 0.95;
};

// Smallest detectable effect in units of s: (t_{1-alpha/2,R-1} + t_{power,R-1}) / sqrt(R), the
// usual approximation. R >= 2. Against R's exact power.t.test at 95 % power it is, for alpha = 5 %,
// 2 % too small at R = 4 and within 1 % from R = 5 on; for alpha = 1 %, 16 % too small at R = 4, 10
// % at 5, 6 % at 7, 3 % at 10, 1 % at 20.
double EffectSize(int runs, const Detection& detection = {});

// Minimal detectable slow-down MDS(R) = exp(EffectSize(R) s) - 1; 0.01 reads 1 %. Infinite where it
// exceeds the largest double.
double MinimalDetectableSlowdown(double spread, int runs, const Detection& detection = {});

// Upper 90 % confidence limit of the spread that was estimated from R runs: s sqrt(nu /
// chi2_{0.1,nu}), nu = R - 1. The MDS of it is what one can promise: a spread estimated from ten
// runs may well be 1.47 times as large. Needs normal run values; R >= 2.
double UpperSpread(double spread, int runs);

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

// Advice for the next experiment of a kind. Fields that the data cannot tell are absent.
struct Planning {
  // Variance of ln(new/old) within and between runs (S_1^2, T_2^2). From 2 runs on, one of which
  // has 2 pairs.
  std::optional<double> s1_2;
  std::optional<double> t2_2;
  std::optional<double> best_pairs;  // BestPairsPerRun
  double run_cost_s = 0;             // that this is for
  double pair_cost_s = 0;
  // Smallest slow-down that the t interval at `level` finds in 95 of 100 experiments with as many
  // runs (0.01: 1 %), and the same with the spread at its 90 % upper limit. From 2 runs on.
  std::optional<double> mds;
  std::optional<double> mds_upper;
};

// `run_log_ratios` are the values of the runs, which must pass CheckPairs. `costs` has the costs
// only.
Planning Plan(absl::Span<const RunPairs> runs, absl::Span<const double> run_log_ratios,
              double level, Planning costs);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_PLANNING_H_
