#ifndef DUETBENCH_DECIDE_TWO_SPEEDS_H_
#define DUETBENCH_DECIDE_TWO_SPEEDS_H_

#include <optional>

#include "absl/types/span.h"
#include "duetbench/decide/pairs.h"

namespace duetbench::stats {

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
//   fall into clusters (clusters.h), and
// - the ratios at both speeds differ by at least `least`, as a logarithm.
// A speed that lasts for a run is one of its layout: the interval contains what the next run
// draws. Nothing where both variants change their speed together: their ratio is the same. Each run
// must pass CheckPairs. O(n log n).
std::optional<TwoSpeeds> FindTwoSpeeds(absl::Span<const RunPairs> runs, double least);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_TWO_SPEEDS_H_
