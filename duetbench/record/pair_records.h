#ifndef DUETBENCH_RECORD_PAIR_RECORDS_H_
#define DUETBENCH_RECORD_PAIR_RECORDS_H_

// From the samples of both variants to the pairs of a run: pure arithmetic. `overhead_ticks` is the
// length of an empty timed region.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/run_result.h"
#include "duetbench/record/sample.h"

namespace duetbench {

// The pairs for which there are samples of both variants, in their order; so are the samples given.
std::vector<PairRecord> MakePairs(absl::Span<const Sample> old_samples,
                                  absl::Span<const Sample> new_samples, const RunPlan& plan,
                                  uint64_t overhead_ticks);

// Net seconds per iteration of one variant: the 10 %-trimmed mean over the samples in which it was
// not preempted, or over all if it always was; 0 if there are none.
double SecondsPerIteration(const Sample* samples, size_t count, const RunPlan& plan,
                           uint64_t overhead_ticks);

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_PAIR_RECORDS_H_
