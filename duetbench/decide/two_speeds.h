#ifndef DUETBENCH_DECIDE_TWO_SPEEDS_H_
#define DUETBENCH_DECIDE_TWO_SPEEDS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/pairs.h"

namespace duetbench::stats {

// Values that lie close together, away from all others.
struct Cluster {
  std::size_t size;
  double center;  // mean of its values
};

// The clusters of `values` in ascending order; one that holds everything if nothing speaks for
// more. Made for the run values of an experiment, which fall into clusters when memory layout (page
// placement, alignment) takes one of a few states in each process.
//
// The values are cut in two at the gap that is largest against the spread of what it separates: gap
// / max(sd below, sd above). Each part must have at least max(3, n/10) values, as real run values
// have heavy tails and one or two far away are no cluster. The cut counts if this ratio is at least
// max(5.5, 44 / (n - 2)); if not, two cuts are tried, with the smaller gap and the largest of three
// spreads. The parts are then searched again. By simulation (20,000 samples each; normal, uniform,
// Laplace, t with 2, 3 and 5 degrees of freedom, log-normal with sigma 0.5 and 1, normal with 10 %
// of the values 5 or 10 times as wide; n = 6..100) at most 0.5 % of samples without clusters are
// cut, of those from normal and t distributions with n >= 10 less than 0.1 %. Two clusters of
// normal values are found in 4 of 5 experiments of 10 runs (3 against 7) when they are 10 standard
// deviations apart, practically always from 15 on.
//
// Fewer than 6 values are one cluster; none give none. Values must be finite. O(n log n) a split.
std::vector<Cluster> FindClusters(absl::Span<const double> values);

// A variant that ran at two speeds, such as code whose loop the processor fetches in one of two
// ways. The states last for many samples, unlike slow calls. A mean over both depends on how often
// each of them came up, which is another number in the next experiment.
struct TwoSpeeds {
  int variant = 0;  // 0 old, 1 new: the one whose speeds are farther apart
  // By state, 0 the fast and 1 the slow one.
  double time[2] = {0, 0};   // of the variant, in the unit of the pairs
  double ratio[2] = {1, 1};  // new/old of typical pairs
  double share[2] = {0, 0};  // of the measured parts
};

// The speeds of a variant in the pairs of an experiment. Each run is cut into up to
// eight parts of consecutive pairs; a variant has two speeds where
// - the logarithms of the median times of the parts, less that of the fastest part of their run,
//   fall into clusters, and
// - the ratios at both speeds differ by at least `least`, as a logarithm.
// A speed that lasts for a run is one of its layout: the interval contains what the next run
// draws. Nothing where both variants change their speed together: their ratio is the same. Each run
// must pass CheckPairs. O(n log n).
std::optional<TwoSpeeds> FindTwoSpeeds(absl::Span<const RunPairs> runs, double least);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_TWO_SPEEDS_H_
