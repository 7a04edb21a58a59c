#ifndef DUETBENCH_EVIDENCE_STATIONARITY_H_
#define DUETBENCH_EVIDENCE_STATIONARITY_H_

#include <optional>

#include "absl/types/span.h"
#include "duetbench/plan/plan.h"
#include "duetbench/sampling/run_result.h"

// Detects runs that are not warm when they begin to measure: containers that grow, caches that fill
// and predictors that learn take longer than the usual millisecond.
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

// Lengthens the warm-up of each round to a third, then two thirds of what the round takes, and
// shortens its measuring by as much: a run takes the same time. False: it is as long already, or
// the plan does not end by time.
bool LengthenWarmUp(RunPlan* plan);

// Assigns a part of the measurement to the warm-up after all: removes the first `share` of the
// pairs of each round. Where the ratio does not change, the others tell the same (the deletion of
// the initial transient of a simulation; Law, Simulation Modeling and Analysis, section 9.5.1).
void LeaveOutWarmUp(double share, RunResult* result);

}  // namespace duetbench

#endif  // DUETBENCH_EVIDENCE_STATIONARITY_H_
