#ifndef DUETBENCH_EVIDENCE_STATIONARITY_H_
#define DUETBENCH_EVIDENCE_STATIONARITY_H_

#include <cstddef>
#include <optional>

#include "absl/types/span.h"
#include "duetbench/plan/plan.h"
#include "duetbench/sampling/run_result.h"

// Detects a ratio that depends on the position in a run: inputs of which runs see only the first
// ones, containers that grow, caches that fill and predictors that learn.
namespace duetbench {

// Change of the ratio after the variants were set up.
struct RatioDrift {
  int runs = 0;
  double log_ratio = 0;  // of the last third of a round less that of its first third
  double p = 1;          // of 'it does not change': a t test over the runs
};

// From the undisturbed pairs; trimmed means, each assignment's own level taken away. Nothing where
// fewer than three runs have a round of six such pairs, or the runs do not differ. O(n).
std::optional<RatioDrift> FindRatioDrift(absl::Span<const RunResult> results);

// The time of an iteration of one variant in the last third of a round, over that in its first, if
// that is more than 1.1 and beyond noise (p at most 0.001): what warms up gets faster, and what
// gets slower has a state that grows. Disturbed pairs count. Or FindSlowerThanFirst, if that is
// more or rounds have a single pair, as blocks of slow iterations do.
std::optional<double> FindSlowingDown(absl::Span<const RunResult> results, int variant,
                                      double ns_per_tick);

// The drift is more than half the `margin`, and beyond noise: p is at most 0.001. A smaller one
// does not change a verdict.
bool IsDrifting(const RatioDrift& drift, double margin);

// The drift of the ratio, if it is notable in this sense.
std::optional<RatioDrift> FindNotableDrift(absl::Span<const RunResult> results, double margin);

// ln of the ratio in the first `share` of the undisturbed pairs of a run, less that in the others:
// trimmed means. Nothing where there are too few. O(n).
inline constexpr size_t kFewestPairsOfHeadAndRest = 6;
std::optional<double> HeadEffect(const RunResult& run, double share);

// The distance of ln of the ratio of total times up to a position in the second half of a run from
// that of the whole run: the farthest of four positions, each a mean over the runs. It tells how
// far the ratio of a much longer run may be: over a period of the input, the ratio up to the end of
// each part moves from one side of the ratio of the whole to the other, by less with each period.
double PositionError(absl::Span<const RunResult> results);

}  // namespace duetbench

#endif  // DUETBENCH_EVIDENCE_STATIONARITY_H_
