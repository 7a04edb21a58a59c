#ifndef DUETBENCH_STATS_INTERVAL_H_
#define DUETBENCH_STATS_INTERVAL_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/pairs.h"

namespace duetbench::stats {

// The ways to compute an interval of the ratio new/old: kT and kEwc here, kRobust in
// decision/decision.h, the others, which only duet_stat offers, in tools/stats. Their measured
// coverage is in tests/statistical.
enum class IntervalKind {
  kRobust,      // "robust": Student's t on the robust mean of the runs (robust_mean.h); the default
  kT,           // "t": Student's t on the runs' log-ratios
  kPercentile,  // "percentile": percentile bootstrap of the runs (the duet paper)
  kExpanded,    // "expanded": percentile bootstrap at widened tail probabilities
  kNMinus1,     // "n-1": percentile bootstrap with resamples of R-1 runs
  kBasic,       // "basic": reflected percentile bootstrap
  kBca,         // "bca": bias-corrected and accelerated percentile bootstrap
  kBootT,       // "boot-t": studentized bootstrap
  kHodgesLehmann,  // "hl": order statistics of the Walsh averages (inverted signed-rank test)
  kHierarchical,   // "hier": bootstrap of runs, then of the pairs in each
  kAnytime,        // "anytime": valid however often it is looked at
  kSign,           // order statistics of the runs' values: for quantiles of calls
  kEwc,            // "ewc": for one run, from the autocorrelated series of its pairs
};

// An interval of the ratio new/old, 0 <= lo <= ratio <= hi. lo is 0 and hi is infinite where the
// kind cannot bound the ratio from so few runs.
struct RatioInterval {
  double ratio;         // point estimate
  double lo;            // lower end
  double hi;            // upper end
  double level;         // nominal coverage, in (0, 1)
  IntervalKind kind;    // how it was computed
  std::string warning;  // why it may be too narrow, in words; empty if nothing speaks against it
};

// One ratio as an interval, to see what would be concluded if it were known: of no level.
RatioInterval PointInterval(double ratio);

// The t quantile that leaves alpha / 2 above it.
double TwoSidedT(double alpha, double degrees_of_freedom);

// OK if 0 < level < 1, otherwise InvalidArgument.
absl::Status CheckLevel(double level);

// OK if there are at least `least` run values and all are finite, otherwise InvalidArgument.
absl::Status CheckRunValues(absl::Span<const double> run_log_ratios, std::size_t least);

// exp(mean +- t_{(1+level)/2, R-1} * s / sqrt(R)) of the log-ratios of R runs, s their standard
// deviation. Valid from R = 2 on; holds its level on the three models of the coverage test from
// R = 3 on. InvalidArgument for R < 2, a value that is not finite, or a level outside (0, 1).
absl::StatusOr<RatioInterval> TInterval(absl::Span<const double> run_log_ratios, double level);

// The log-ratio of one process, from the series of its pairs.
struct SeriesEstimate {
  double log_ratio = 0;
  double log_error = 0;
  double degrees_of_freedom = 0;
  std::string warning;  // of its interval
};

// Interval of the ratio of one process from the series of its pairs, whose neighbors are
// correlated: estimate * exp(-+ t_nu * sqrt(L / n)), L the equal-weighted-cosine long-run variance
// of the influence values of the pairs (series.h, InfluenceValues), nu its degrees of freedom
// (Mueller 2004; Lazarus, Lewis, Stock and Watson 2018). For kGeomean these are the log-ratios
// themselves.
//
// For the estimators that average strata (assignments in rounds) the influence values have mean
// zero within each. That removes the contrasts between the strata from the series, and with them a
// share of what the cosines measure: w = sum over the nu cosines of the squared projections of the
// orthonormal contrasts, each below 1. L is therefore scaled by nu / (nu - w), and t has nu - w
// degrees of freedom; for 30 pairs in blocks of ten this lifts the coverage of a nominal 95 % from
// 88 to 91 to 94 %. nu is at least the number of strata.
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

// Its two steps; only the first one goes through the pairs.
absl::StatusOr<SeriesEstimate> EstimateSeries(const RunPairs& run, Estimator estimator);
absl::StatusOr<RatioInterval> IntervalOfSeries(const SeriesEstimate& series, double level);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_INTERVAL_H_
