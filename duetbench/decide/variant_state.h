#ifndef DUETBENCH_DECIDE_VARIANT_STATE_H_
#define DUETBENCH_DECIDE_VARIANT_STATE_H_

#include <optional>

#include "absl/types/span.h"
#include "duetbench/record/run_result.h"

// Iterations that are not alike since each changes what the next one finds: input that is used up,
// containers that grow, numbers that become denormal. What is measured then depends on how many
// iterations a run has.
namespace duetbench {

struct SlowFirstIteration {
  double first_ns = 0;
  double usual_ns = 0;  // of an iteration, later in the run
};

// The first iteration after the set-up of `variant` takes more than three times as long as others,
// in most runs, and by more than cold caches and first touches of memory explain: 0.2 ms, and 4 us
// for each page fault. Such a variant may have used up its input (sorted what it sorts). Nothing
// for variants that are called anew for each sample, and where samples have one iteration.
// O(pairs).
std::optional<SlowFirstIteration> FindSlowFirstIteration(absl::Span<const RunResult> results,
                                                         int variant, double ns_per_tick);

// The time of a usual iteration over that in the first sample after the set-up, if that is more
// than 1.5 and beyond noise (a t test over three runs or more; p at most 0.001): what warms up gets
// faster. O(pairs).
std::optional<double> FindSlowerThanFirst(absl::Span<const RunResult> results, int variant,
                                          double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_VARIANT_STATE_H_
