#ifndef DUETBENCH_EXPERIMENT_PAUSE_COST_H_
#define DUETBENCH_EXPERIMENT_PAUSE_COST_H_

#include <cstdint>

#include "absl/types/span.h"
#include "duetbench/experiment/run_result.h"

namespace duetbench {

// By how many ticks a pair of PauseTiming and ResumeTiming lengthens the timed region, and by how
// many it may be more or less. The two readings of the clock wait for the work before them, and
// hide a part of themselves behind it, so it depends on that work.
struct PauseCost {
  uint64_t ticks = 0;
  double doubt_ticks = 0;
};

// Measured on the calling thread before several kinds of work: the median of them, and the largest
// difference from it. Takes 0.4 ms.
PauseCost MeasurePauseCost(double ns_per_tick);

// The time that pairs of PauseTiming and ResumeTiming of `variant` took, which was subtracted, over
// what is left: the median of the runs. A ratio of times much shorter than their pauses is none.
double PauseShare(absl::Span<const RunResult> results, int variant);

// By how much the logarithm of the ratio may be wrong because the costs of the pauses are not known
// exactly: the difference between the variants, since what pauses cost more or less they cost both.
double PauseDoubt(absl::Span<const RunResult> results);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_PAUSE_COST_H_
