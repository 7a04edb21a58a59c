#ifndef DUETBENCH_STATS_INFLUENCE_H_
#define DUETBENCH_STATS_INFLUENCE_H_

#include <vector>

#include "duetbench/stats/estimator.h"
#include "duetbench/stats/pairs.h"

namespace duetbench::stats {

// What each pair of a run contributes to the run's estimate: values p_1 ... p_n, in the order of
// the pairs, of mean zero and such that the estimate varies like the mean of the p_i. They carry
// the order in which the pairs were measured, so whatever is known about the mean of a series
// applies to each estimator.
//
// For n_a pairs of log-ratio u under the assignment a, of k assignments present (the p_i of a are
// multiplied by n / (k n_a), as each assignment has the weight 1/k in the estimate):
//   kGeomean  u - mean(u) of all pairs, whatever their assignment
//   kTrimmed  (w - mean(w)) n_a / h, w the winsorized u: values beyond the trimming points
//             count as the trimming points (Wilcox, Introduction to Robust Estimation, 3.3);
//             times sqrt(h (n_a - 1) / ((h - 1) n_a)) for h values kept, which makes the variance
//             of their mean that of Yuen (Biometrika 1974)
//   kMedian   sign(u - median) * s / 2, s the reciprocal density at the median, estimated by the
//             difference quotient of the quantile function (type 7) over +- h, h = min(0.4,
//             0.6477 n_a^(-1/5)) (Siddiqui 1960; bandwidth of Bofinger 1975)
//
// `run` must pass CheckPairs. O(n log n) for kMedian, else O(n) expected.
std::vector<double> InfluenceValues(const RunPairs& run, Estimator estimator);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_INFLUENCE_H_
