#ifndef DUETBENCH_DECIDE_LOST_WORK_H_
#define DUETBENCH_DECIDE_LOST_WORK_H_

#include "absl/types/span.h"
#include "duetbench/record/run_result.h"

namespace duetbench {

// A variant may have been left without work by the compiler: it cannot be told from an empty loop
// of its form. At least half of its samples that were compared with such loops
// (empty_comparison.h) took no longer than these. False where none was compared.
bool LacksWork(absl::Span<const RunResult> results, int variant);

// The time of an iteration of these empty loops in the median run, in ns; 0 where none was
// executed. In the others, another process may have had the CPU meanwhile.
double EmptyIterationNs(absl::Span<const RunResult> results, int variant);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_LOST_WORK_H_
