#ifndef DUETBENCH_EXPERIMENT_LOST_WORK_H_
#define DUETBENCH_EXPERIMENT_LOST_WORK_H_

#include "absl/types/span.h"
#include "duetbench/experiment/run_result.h"

namespace duetbench {

// A variant may have been left without work by the compiler: it cannot be told from an empty loop
// of its form. In at least half of the runs the fastest tenth of its samples, those alone and
// disturbed ones included, take no longer than the upper decile of the empty loops that the same
// thread executed in the same run (RunResult::empty_ns). False where no run measured these.
bool LacksWork(absl::Span<const RunResult> results, int variant, double ns_per_tick);

// The median of RunResult::empty_ns over the runs where it is known, else 0.
double EmptyIterationNs(absl::Span<const RunResult> results, int variant);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_LOST_WORK_H_
