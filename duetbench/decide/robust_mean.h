#ifndef DUETBENCH_DECIDE_ROBUST_MEAN_H_
#define DUETBENCH_DECIDE_ROBUST_MEAN_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"

// The mean of the values of runs: of few, skewed values that follow each other in time, and of
// which one in twenty may be far off.
namespace duetbench::stats {

struct MeanEstimate {
  double mean = 0;
  double error = 0;  // standard error of the mean
  double degrees_of_freedom = 0;
  std::vector<double> far_off;  // values that were left out, ascending
};

// The mean of independent values, with their standard deviation. Two values at least, or the
// program stops.
MeanEstimate MeanOfIndependent(absl::Span<const double> values);

// The mean of values in the order of time. The state of a machine lasts for seconds, so that
// neighbors are alike: the standard error is that of independent values times sqrt((1 + r) /
// (1 - r)). r is their lag-1 autocorrelation, corrected for its bias (Marriott and Pope, Biometrika
// 41, 1954), at least 0 and at most 0.8, and 0 for fewer than 8 values. Two values at least, or the
// program stops. O(n).
MeanEstimate MeanOfSeries(absl::Span<const double> values);

// The mean of `values`, in the order of time, that bounds the influence of each.
//
// - Values far off are left out: those further than 8 standard deviations (1.4826 times the median
//   absolute deviation) from the median, if they are no more than `most_far_off`. More of them are
//   another kind of runs, and count.
// - From 18 values on the mean of the middle half takes the place of that of all where its interval
//   at 99 % is less than 0.7 times as wide: tails are heavy. The two means must not differ by more
//   than 1.3 standard errors of their difference: only the mean of all is right for values that are
//   skewed, as those of a few code layouts are.
// - The standard error is that of a trimmed mean, from the winsorized values (Tukey and McLaughlin,
//   Sankhya A 25, 1963), with the factor of MeanOfSeries.
//
// The rules are fixed, and none looks at the level. Coverage and width beside those of other
// estimators are simulated in tests/statistical/mean_of_runs_test.cc. Two values at least must be
// left, or the program stops. O(n log n).
MeanEstimate RobustMean(absl::Span<const double> values, std::size_t most_far_off);

// `values` with those far off, if they are no more than `most_far_off`, moved to the nearest other
// one. Not empty. O(n log n).
std::vector<double> WithoutFarOff(absl::Span<const double> values, std::size_t most_far_off);

// The most values that are left out as far off of an experiment of `runs` runs: one in twelve. A
// cluster (two_speeds.h) has more.
std::size_t MostFarOff(std::size_t runs);

// --- Dependence in one series, for instance the log-ratios of consecutive pairs of a run. ---

// Means of `count` batches of floor(n / count) consecutive values; the values left over at the end
// are ignored. Needs 1 <= count <= n.
std::vector<double> BatchMeans(absl::Span<const double> x, std::size_t count);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_ROBUST_MEAN_H_
