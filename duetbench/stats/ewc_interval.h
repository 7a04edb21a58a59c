#ifndef DUETBENCH_STATS_EWC_INTERVAL_H_
#define DUETBENCH_STATS_EWC_INTERVAL_H_

#include "absl/status/statusor.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/pairs.h"

namespace duetbench::stats {

// Interval of the ratio of one process from the series of its pairs, whose neighbours are
// correlated: estimate * exp(-+ t_nu * sqrt(L / n)), L the equal-weighted-cosine long-run variance
// of the influence values of the pairs (autocorrelation.h, influence.h), nu its degrees of freedom
// (Mueller 2004; Lazarus, Lewis, Stock and Watson 2018). For kGeomean these are the log-ratios
// themselves.
//
// For the estimators that average the two assignments the influence values have mean zero within
// each assignment. That removes one direction from the series, the contrast of the assignments, and
// with it a share of what the cosines measure: w = sum over the nu cosines of the squared
// projection of the normalized contrast, below 1. L is therefore scaled by nu / (nu - w), and t has
// nu - w degrees of freedom; for 30 pairs in blocks of ten this lifts the coverage of a nominal 95
// % from 88 to 94 %.
//
// It says nothing about another process of the same programs: no single process can. The warning
// always says so, and adds when the lag-1 autocorrelation of the influence values is above 0.7,
// where a nominal 95 % covers 82-84 %.
//
// Series of more than 16,384 pairs are first condensed to means of consecutive influence values,
// at most 16,384 of them: the low frequencies that L is made of stay the same, nu = 258 are plenty,
// and L costs 20 ms at most.
//
// Valid from 3 pairs on; with fewer than 30 the estimate of L is very uncertain, and the interval
// correspondingly wide. InvalidArgument for fewer than 3 pairs, pairs that CheckPairs refuses, or a
// level outside (0, 1).
absl::StatusOr<RatioInterval> EwcInterval(const RunPairs& run, Estimator estimator, double level);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_EWC_INTERVAL_H_
