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
// bias about -1/n. Above 0.7 the EWC interval is too narrow (coverage 82-84 % at a nominal 95 %).
// At least 2 values. O(n).
double Lag1(absl::Span<const double> x);

// Means of `count` batches of floor(n / count) consecutive values; the values left over at the end
// are ignored. Needs 1 <= count <= n.
std::vector<double> BatchMeans(absl::Span<const double> x, std::size_t count);

// Degrees of freedom nu = max(2, floor(0.4 n^(2/3))) of the EWC interval for n values: the choice
// that simulation found best (Lazarus, Lewis, Stock, Watson 2018, 'HAR Inference: Recommendations
// for Practice', use the same power with the same constant).
int EwcDegreesOfFreedom(std::size_t n);

// Long-run variance of a stationary series by the equal-weighted cosine estimator:
//   nu^-1 sum_{j=1..nu} ( sqrt(2/n) sum_{t=1..n} u_t cos(pi j (t - 1/2) / n) )^2.
// The variance of the mean is this over n, and (mean - mu) / sqrt(LRV / n) is t with nu degrees of
// freedom for large n. Adding a constant to u changes nothing. Needs 1 <= nu < n.
// O(n * nu), with two calls of sin/cos per 64 terms: 0.1 ms for n = 1000, 0.2 s for n = 10^5.
double EwcLongRunVariance(absl::Span<const double> u, int nu);

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
