#ifndef DUETBENCH_DECIDE_SERIES_H_
#define DUETBENCH_DECIDE_SERIES_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"

namespace duetbench::stats {

// Dependence in one series, for instance the log-ratios of the consecutive pairs of one
// run. All functions stop the program when a series is shorter than they state.

// Sample autocorrelation at lag 1, as R's acf(): sum (x_t - mean)(x_{t+1} - mean) over the sum of
// squares. Zero for a constant series. For iid data its standard error is about 1/sqrt(n) and its
// bias about -1/n. At least 2 values. O(n).
double Lag1(absl::Span<const double> x);

// Means of `count` batches of floor(n / count) consecutive values; the values left over at the end
// are ignored. Needs 1 <= count <= n.
std::vector<double> BatchMeans(absl::Span<const double> x, std::size_t count);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_SERIES_H_
