#ifndef DUETBENCH_MEASURE_PAUSE_COST_H_
#define DUETBENCH_MEASURE_PAUSE_COST_H_

#include <cstdint>

#include "absl/types/span.h"
#include "duetbench/record/run_result.h"

namespace duetbench {

// By how many ticks a pair of PauseTiming and ResumeTiming lengthens the timed region, which
// depends on the work before it: the median of several kinds of work, measured on the calling
// thread. Takes 0.4 ms.
uint64_t MeasurePauseTicks(double ns_per_tick);

// The time that pairs of PauseTiming and ResumeTiming of `variant` took, which was subtracted, over
// what is left: the median of the runs. A ratio of times much shorter than their pauses is none.
double PauseShare(absl::Span<const RunResult> results, int variant);

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_PAUSE_COST_H_
