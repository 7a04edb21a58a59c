#ifndef DUETBENCH_STATS_SERIES_H_
#define DUETBENCH_STATS_SERIES_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"

namespace duetbench::stats {

// Dependence and trend in one series, for instance the log-ratios of the consecutive pairs of one
// run. All functions stop the program when a series is shorter than they state.

// Sample autocorrelation at lag 1, as R's acf(): sum (x_t - mean)(x_{t+1} - mean) over the sum of
// squares. Zero for a constant series. For iid data its standard error is about 1/sqrt(n) and its
// bias about -1/n. At least 2 values. O(n).
double Lag1(absl::Span<const double> x);

// Means of `count` batches of floor(n / count) consecutive values; the values left over at the end
// are ignored. Needs 1 <= count <= n.
std::vector<double> BatchMeans(absl::Span<const double> x, std::size_t count);

// Mann-Kendall test (Mann 1945; Kendall 1975) of 'no trend' in a series of independent values:
// S = number of later values that are above an earlier one, less those below. It uses ranks only,
// so heavy tails raise no alarm.
struct MannKendall {
  double tau;  // S over the number of pairs of values; in [-1, 1], +1 for ascending values
  double p;    // two-sided, normal approximation with tie and continuity correction; below 8 values
               // it cannot fall under 0.001
};

// At least 2 values. O(n^2): 20 us for 100 values, 10 ms for 2000.
MannKendall MannKendallTest(absl::Span<const double> series);

// Theil-Sen slope: the median of the slopes of all pairs of values, per step of the series. Up to
// 29 % of the values may be arbitrarily wrong. At least 2 values. O(n^2) time and memory: 2000
// values take 30 ms and 16 MB.
double TheilSenSlope(absl::Span<const double> series);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_SERIES_H_
