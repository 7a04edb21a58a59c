#ifndef DUETBENCH_EXPERIMENT_PAIR_RECORDS_H_
#define DUETBENCH_EXPERIMENT_PAIR_RECORDS_H_

// From the samples of both variants to the pairs of a run: pure arithmetic. `overhead_ticks` is the
// length of an empty timed region.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "duetbench/experiment/plan.h"
#include "duetbench/experiment/run_result.h"
#include "duetbench/experiment/sample.h"

namespace duetbench {

// The pairs of `count` samples of each variant, in the order in which they were taken.
std::vector<PairRecord> MakePairs(const Sample* old_samples, const Sample* new_samples,
                                  size_t count, const RunPlan& plan, uint64_t overhead_ticks);

// Net seconds per iteration of one variant: the 10 %-trimmed mean over the samples in which it was
// not preempted, or over all if it always was; 0 if there are none.
double SecondsPerIteration(const Sample* samples, size_t count, const RunPlan& plan,
                           uint64_t overhead_ticks);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_PAIR_RECORDS_H_
