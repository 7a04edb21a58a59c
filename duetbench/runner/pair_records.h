#ifndef DUETBENCH_RUNNER_PAIR_RECORDS_H_
#define DUETBENCH_RUNNER_PAIR_RECORDS_H_

// From the samples of two sides to the pairs of a run: pure arithmetic. `overhead_ticks` is what
// the clock itself takes between two readings.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "duetbench/runner/plan.h"
#include "duetbench/runner/run_result.h"
#include "duetbench/runner/sample.h"

namespace duetbench {

// The pairs that two sides' samples make, `count` of each in the order of iterations.
std::vector<PairRecord> MakePairs(const Sample* old_samples, const Sample* new_samples,
                                  size_t count, const RunPlan& plan, uint64_t overhead_ticks);

// Net seconds per operation of one side: the 10 %-trimmed mean over the samples in which it was not
// preempted, or over all where it always was; 0 if there are none.
double SecondsPerOperation(const Sample* samples, size_t count, const RunPlan& plan,
                           uint64_t overhead_ticks);

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_PAIR_RECORDS_H_
