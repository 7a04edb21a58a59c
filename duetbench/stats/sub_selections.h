#ifndef DUETBENCH_STATS_SUB_SELECTIONS_H_
#define DUETBENCH_STATS_SUB_SELECTIONS_H_

#include <vector>

#include "absl/types/span.h"
#include "duetbench/stats/random.h"

namespace duetbench::stats {

// How MMTests averages.
enum class Average {
  kArithmetic,  // Amean: times
  kHarmonic,    // Hmean: rates, such as operations per second
};

// The average of the values; positive ones for kHarmonic. At least one value.
double AverageOf(absl::Span<const double> values, Average average);

// What MMTests takes as the value of a run: the median of the averages of `selections` random
// sub-selections of floor(share * n) of its n values, at least one, drawn without replacement
// (MMTests, advanced regression detection). A spike of weight below 50 % pulls less on this median
// than on the average, but it is no robust estimator: with one spike among n values, 80 % of the
// sub-selections contain it. `share` in (0, 1]. O(selections * n).
double SubSelectionMedian(absl::Span<const double> values, Average average, Random& random,
                          int selections = 100, double share = 0.8);

// The result of MMTests for a system: the arithmetic average over the runs of their
// SubSelectionMedian. At least one run.
double SubSelectionAverage(absl::Span<const std::vector<double>> runs, Average average,
                           Random& random);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_SUB_SELECTIONS_H_
