#ifndef DUETBENCH_DECIDE_ESTIMATOR_H_
#define DUETBENCH_DECIDE_ESTIMATOR_H_

#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/decide/pairs.h"

namespace duetbench::stats {

// ln(new/old) of one run: the mean of the middle half of the log-ratios (kDecision.trim), for each
// stratum apart: each assignment. The strata found are then averaged with equal weight, so that a
// difference between the two CPUs cancels even if one of them got more pairs. It is 6 times
// narrower than the mean of all log-ratios when there are spikes, 10 % wider when there are none.
// Valid from one pair on. InvalidArgument if CheckPairs fails. O(n) expected (selection, no sort);
// copies the log-ratios once.
//   RunLogRatio({{100, 110, 0}, {100, 110, 1}})  ->  ln 1.1
absl::StatusOr<double> RunLogRatio(const RunPairs& run);

// Contribution of each pair of a run to RunLogRatio: values p_1 ... p_n, in the order of the pairs,
// of mean zero and such that the estimate varies like the mean of the p_i. They carry the order in
// which the pairs were measured, so whatever is known about the mean of a series applies to it.
//
// For n_s pairs of log-ratio u in the stratum s, of k strata present, p is (w - mean(w)) n_s / h, w
// the winsorized u: values beyond the trimming points count as the trimming points (Wilcox,
// Introduction to Robust Estimation, 3.3); times sqrt(h (n_s - 1) / ((h - 1) n_s)) for h values
// kept, which makes the variance of their mean that of Yuen (Biometrika 1974); times n / (k n_s),
// as each stratum has the weight 1/k in the estimate.
//
// `run` must pass CheckPairs. O(n) expected.
std::vector<double> InfluenceValues(const RunPairs& run);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_ESTIMATOR_H_
