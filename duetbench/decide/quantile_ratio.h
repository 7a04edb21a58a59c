#ifndef DUETBENCH_DECIDE_QUANTILE_RATIO_H_
#define DUETBENCH_DECIDE_QUANTILE_RATIO_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/interval.h"
#include "duetbench/decide/pairs.h"

namespace duetbench::stats {

// The ratio new/old of one quantile of the times of single calls.
struct QuantileRatio {
  double quantile = 0.5;  // in (0, 1)
  // ln(Q_new / Q_old) of each bundle of runs.
  std::vector<double> bundle_log_ratios;
  // The median over the bundles, and its interval. Absent if there are too few bundles.
  std::optional<RatioInterval> interval;
  double time[2] = {0, 0};    // the quantile of old and new: medians over the bundles
  uint64_t calls = 0;         // of each variant
  uint64_t calls_needed = 0;  // at least, for an interval
  int runs = 0;
  int runs_needed = 0;
};

// Runs (with several code layouts: layouts) are joined, in order, into bundles with about
// five calls of each variant on the rarer side of the quantile, or more where such calls
// come together: these count once. Each bundle gives the ratio of its two sample quantiles (the
// median-unbiased kind, Hyndman and Fan's 8). The interval is that of order statistics of the
// bundles, the inverted sign test, which assumes nothing but independent bundles and needs 8 of
// them for alpha = 0.01. Where the quantile lies at a gap in a distribution, as between hits and
// misses of a cache, the quantiles of the bundles are of two kinds, and the median of their ratios
// may not be the ratio of the quantiles: the interval is then widened to the quotients of the ends
// of the intervals of both variants. Simulated at alpha = 0.1 (300 experiments each): 91 to 99 % of
// the intervals contain the ratio, also with such gaps on both sides.
//
// `alpha`, in (0, 1), is what the interval may spend, `level` what it is said to have. For
// simultaneous intervals of m quantiles, alpha is (1 - level) / m (Bonferroni). The times must be
// positive. O(n log n).
QuantileRatio ComputeQuantileRatio(absl::Span<const RunPairs> runs, double quantile, double alpha,
                                   double level);

// The smallest alpha at which the interval of `log_ratios` lies above `limit`, at most 1.
double QuantilePValue(absl::Span<const double> log_ratios, double limit);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_QUANTILE_RATIO_H_
