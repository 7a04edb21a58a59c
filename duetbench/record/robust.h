#ifndef DUETBENCH_RECORD_ROBUST_H_
#define DUETBENCH_RECORD_ROBUST_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"

namespace duetbench::stats {

// Differences and spreads of log-ratios below this are rounding errors.
inline constexpr double kRounding = 1e-13;

// Arithmetic mean. `values` must not be empty.
double Mean(absl::Span<const double> values);

// Sum of squared deviations from the mean over n - 1, by two passes (the one-pass formula cancels
// when the spread is small against the mean). At least two values.
double Variance(absl::Span<const double> values);

// Square root of Variance, in the unit of the values.
double StandardDeviation(absl::Span<const double> values);

// Middle value, or the mean of the middle two. `values` must not be empty. O(n) expected.
double Median(std::vector<double> values);

// The quantile at `p` in [0, 1] of values in ascending order (infinite ones allowed at its ends):
// linear interpolation at the position 1 + (n - 1) p (R type 7, the default of R and numpy). Next
// to an infinite value the result is infinite. `sorted` must not be empty. O(1).
double QuantileType7(absl::Span<const double> sorted, double p);

// floor(fraction * n): how many of n values a trimmed mean drops at each end.
std::ptrdiff_t TrimmedCount(std::size_t n, double fraction);

// Mean of what is left after floor(fraction * n) values were dropped at each end. `fraction` in
// [0, 0.5); `values` must not be empty. With a fraction of 0.1 it costs 2 % of interval width on
// normal data, of 0.25 10 % (Wilcox, Introduction to Robust Estimation, 3.3). O(n) expected.
double TrimmedMean(std::vector<double> values, double fraction);

}  // namespace duetbench::stats

#endif  // DUETBENCH_RECORD_ROBUST_H_
