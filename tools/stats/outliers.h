#ifndef DUETBENCH_TOOLS_STATS_OUTLIERS_H_
#define DUETBENCH_TOOLS_STATS_OUTLIERS_H_

#include <cstddef>
#include <optional>

#include "absl/types/span.h"
#include "duetbench/decide/pairs.h"

namespace duetbench::stats {

// The winsorization of the duet paper (Bulej et al., ICPE 2020, section 4): at most one observation
// of a run, the one furthest out, is replaced by its nearest neighbor if it lies more than 20 % of
// their range outside the range of the others: high if s[n] - s[n-1] > 0.2 (s[n-1] - s[1]), low if
// s[2] - s[1] > 0.2 (s[n] - s[2]), s[1] <= ... <= s[n] the observations in order. What the project
// takes the paper to mean. On clean data it still replaces a value in most short runs.

// The value that is replaced.
struct Outlier {
  std::size_t index;   // position of the value
  double replacement;  // its nearest neighbor
};

// Nothing, or the one outlier of `values`. If both ends qualify, the one with the larger gap to
// its neighbor (at a tie the high one); of equal values the first. Fewer than three values have
// none. O(n).
std::optional<Outlier> FindOutlier(absl::Span<const double> values);

// The run with the outlier of its ratios new/old replaced: the new time of that pair becomes
// replacement * old time. This is the project's reading, as only ratios enter the estimate and a
// disturbance that hits both variants is no outlier. `run` must pass CheckPairs.
RunPairs WinsorizeRatios(RunPairs run);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_OUTLIERS_H_
