#ifndef DUETBENCH_DECISION_RUN_WEIGHTS_H_
#define DUETBENCH_DECISION_RUN_WEIGHTS_H_

#include <vector>

#include "absl/types/span.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/pairs.h"

// Runs that were disturbed say less than others. On a cloud machine a few of the runs of a second
// have ten times the error of the rest, and would decide how wide the interval is.
namespace duetbench::stats {

// Variance of a run's log-ratio, estimated from its pairs: from the means of 16 batches of
// consecutive influence values (estimator.h), as neighbors are correlated, or of fewer batches of
// two. `run` must pass CheckPairs. NaN for fewer than 16 pairs, which would say little. O(n).
double WithinRunVariance(const RunPairs& run, Estimator estimator);

// Values of the runs whose t interval is that of the weighted mean of `run_log_ratios`: its
// jackknife pseudo-values, shifted to have it as their mean.
//
// The weight of run i is 1 / (max(v_i, median of v) + tau^2): v_i is its variance from its own
// pairs, `variances`, and tau^2 the variance between runs by the method of Paule and Mandel (J.
// Res. Natl. Bur. Stand. 87, 1982). At least half of the runs have the largest weight, and where
// runs differ by more than their pairs explain, all have about the same. The deviations of the
// pseudo-values, which do not rely on the variances being right, are those of Hedges, Tipton and
// Johnson (Research Synthesis Methods 1, 2010); they are scaled so that at 99 % t with R - 1
// degrees of freedom reaches as far as t with those of the effective number of runs, 1 / sum of the
// squared weights (Kish).
//
// The values themselves where runs of little weight have another ratio: the weighted mean differs
// from that of all runs alike by more than 2.58 times the error of the difference (the test of
// Hausman, Econometrica 46, 1978). Such runs are a mode of the program rather than disturbed. Also
// for fewer than many_runs runs (decision_policy.h), which are too few to tell which of them are
// disturbed, and where a variance is not known or the median is 0.
//
// Coverage and widths are measured in tests/statistical/run_weights_test.cc. The spans are
// parallel, or the program stops. O(R log R).
std::vector<double> WeightedRunValues(absl::Span<const double> run_log_ratios,
                                      absl::Span<const double> variances);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECISION_RUN_WEIGHTS_H_
