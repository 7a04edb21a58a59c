#ifndef DUETBENCH_DECIDE_LAYOUTS_H_
#define DUETBENCH_DECIDE_LAYOUTS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/run_value.h"

// Runs of one code layout. In those of an antithetic pair the functions of old and of new exchange
// their places, so that what an address does to one run it does to the other one the other way
// round: their mean spreads much less than they do. What does not change its place makes them more
// alike than other runs.
namespace duetbench::stats {

// Positions of runs whose mean is one value.
using RunGroup = std::vector<std::size_t>;

// The interval is made of the runs of each layout where these tell less or more than as many
// independent ones, else of each run by itself. `values` are those of the runs in the order of
// time, `layouts` the number of the layout of each. The layouts decide where the variance of their
// means is not what the runs of one explain (one-way analysis of variance, F test at 5 %: a test
// that decides whether variances are pooled needs such a level, Bancroft, Annals of Mathematical
// Statistics 15, 1944). Values far off (robust_mean.h) do not change the test. Layouts that lack
// runs are left out then, and must have no more than half of the runs. O(n log n).
std::vector<RunGroup> IndependentGroups(absl::Span<const double> values,
                                        absl::Span<const int> layouts);

// The mean of `values` in each group.
std::vector<double> GroupMeans(absl::Span<const double> values, absl::Span<const RunGroup> groups);

struct RatioRange {
  double lo = 1;
  double hi = 1;
};

// The typical ratios of the runs without those far off, lowest and highest, where each of several
// layouts has another one: their pairs explain no more than kDecision.part_within_runs of the
// variance between the runs. Nothing for fewer than min_layouts layouts. O(n log n).
std::optional<RatioRange> RatiosByAddress(absl::Span<const RunValue> runs);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_LAYOUTS_H_
