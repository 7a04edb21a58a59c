#ifndef DUETBENCH_STATS_VARIANCE_COMPONENTS_H_
#define DUETBENCH_STATS_VARIANCE_COMPONENTS_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"

namespace duetbench::stats {

// How much each level of repetition contributes to the spread (Kalibera and Jones, 'Rigorous
// benchmarking in reasonable time', ISMM 2013, section 6). Index 0 is the lowest level
// (iterations), the last one the highest (runs, or machines). The unit is that of the data squared;
// for log ratios it is dimensionless.
struct VarianceComponents {
  double mean;             // of all data (of the run means if runs differ in length)
  std::vector<double> s2;  // S_i^2: mean variance of the level-i means inside their group
  std::vector<double> t2;  // T_i^2: unbiased components, S_i^2 - S_{i-1}^2 / r_{i-1}, T_1^2 =
                           // S_1^2. May come out negative; whatever uses one takes 0 instead
};

// A balanced experiment. `repetitions` goes from the highest level to the lowest, every one at
// least 2; `data` has their product as its size, the lowest level varying fastest. A size that does
// not fit stops the program. O(n).
//   BalancedVarianceComponents({9,5,8,3, 10,6,7,11, 1,12,2,4}, {3, 4}).s2  ->  {12.72, 3.56}
VarianceComponents BalancedVarianceComponents(absl::Span<const double> data,
                                              absl::Span<const std::size_t> repetitions);

// Runs of iterations that may differ in length (pairs are dropped when disturbed): S_1^2 pools the
// squares of all runs, S_2^2 is the variance of the run means, T_2^2 = S_2^2 - S_1^2 mean(1 / n_r).
// With runs of one length the same as the balanced formula. At least two runs, no empty run, and
// one run of at least two values, or the program stops. O(n).
VarianceComponents RunVarianceComponents(absl::Span<const std::vector<double>> runs);

// Share of a pair's variance that its run explains, T_2^2 / (T_1^2 + T_2^2), of two levels: 0 when
// runs differ no more than their iterations make them. In [0, 1].
double IntraclassCorrelation(const VarianceComponents& components);

// The numbers of repetitions that give the narrowest interval for a given total time: for each
// level but the highest r_i = sqrt(c_{i+1} / c_i * T_i^2 / T_{i+1}^2) (Kalibera and Jones, section
// 6.3), from the lowest level on, not rounded. `costs[i]` is the time that one more repetition of
// level i takes without what it contains: [iteration, run start, ...]. Infinite where the next
// level adds no variance (T_{i+1}^2 <= 0: repeat here rather than there), 0 where this level adds
// none; use max(1, ceil()).
std::vector<double> OptimalRepetitions(absl::Span<const double> t2, absl::Span<const double> costs);

// The same for two levels and a duet: I* = sqrt(c_run / c_iter * S_1^2 / T_2^2) iterations a run.
double BestIterations(const VarianceComponents& components, double run_cost, double iteration_cost);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_VARIANCE_COMPONENTS_H_
