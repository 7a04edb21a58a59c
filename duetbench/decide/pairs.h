#ifndef DUETBENCH_DECIDE_PAIRS_H_
#define DUETBENCH_DECIDE_PAIRS_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace duetbench::stats {

// Two samples that are compared: the times of the two variants for the same number of iterations,
// in any unit that both share. Only the ratio new/old is ever used: interference that hits both
// variants at the same moment divides out of it (Bulej et al., ICPE 2020, section 3).
struct Pair {
  double old_time;  // of the baseline; positive, finite
  double new_time;  // of the contender; positive, finite, in the unit of old_time
  int assignment;   // 0 or 1: which of the two assignments of variants to CPUs was in force or,
                    // in the interleaved schedule, which of the two orders
  // Time of the speed probe before the sample of old and of new, in ns (run_value.h); 0: not
  // known.
  float probe_ns[2] = {0, 0};
};

// The pairs of one run (one process) in the order in which they were measured.
using RunPairs = std::vector<Pair>;

// OK if `run` has at least one pair, every time is positive and finite, every quotient new/old is
// too, and every assignment is 0 or 1. Otherwise InvalidArgument, naming the first offending pair
// by its 0-based position. O(n).
absl::Status CheckPairs(const RunPairs& run);

// The positions of the pairs of each stratum of `run`, the assignments that it has, in their order.
// `run` must pass CheckPairs. O(n).
std::vector<std::vector<std::size_t>> Strata(const RunPairs& run);

// ln(new/old) of each pair, in their order. `run` must pass CheckPairs. The quotient is formed
// before the logarithm: the difference of two logarithms would lose digits of a small effect.
std::vector<double> LogRatios(const RunPairs& run);

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

#endif  // DUETBENCH_DECIDE_PAIRS_H_
