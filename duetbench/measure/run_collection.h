#ifndef DUETBENCH_MEASURE_RUN_COLLECTION_H_
#define DUETBENCH_MEASURE_RUN_COLLECTION_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/measure/measuring_loop.h"
#include "duetbench/measure/run_in_progress.h"
#include "duetbench/measure/run_record.h"
#include "duetbench/record/run_result.h"
#include "duetbench/record/variant_pair.h"

namespace duetbench {

// Records of the loops of a run that this process executed, whose threads have ended.
// Moves the reports of the variants out of the run.
std::vector<LoopRecord> CollectLoops(RunInProgress& run);

// Result of a run for two of its variants, from the record of all its loops, which have no error.
// Set-ups and unmeasured time are those of all variants.
RunResult CollectRun(const RunPlan& plan, const RunRecord& record, const VariantPair& pair);

// Why a run did not end within `seconds`: which variant holds it up, and what it is doing.
// `activities` are indexed by variant.
RunError DescribeStuck(absl::Span<const uint32_t> activities, double seconds);

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_RUN_COLLECTION_H_
