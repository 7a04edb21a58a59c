#ifndef DUETBENCH_MEASURE_RUN_COLLECTION_H_
#define DUETBENCH_MEASURE_RUN_COLLECTION_H_

#include <cstdint>
#include <vector>

#include "duetbench/measure/measuring_loop.h"
#include "duetbench/measure/run_record.h"
#include "duetbench/measure/run_rounds.h"
#include "duetbench/record/run_result.h"

namespace duetbench {

// Records of the loops of a run that this process executed, by round; their threads have ended.
// Moves the reports of the variants out of the run. A round that did not begin is left out.
std::vector<std::vector<LoopRecord>> CollectLoops(RunInProgress& run);

// Result of a run, from the records of all its loops. A run with an error has no pairs.
RunResult CollectRun(const RunPlan& plan, uint64_t overhead_ticks,
                     std::vector<std::vector<LoopRecord>> rounds);

// True if a loop with this activity keeps the run from ending; others wait.
bool IsBlocking(Activity activity);

// Why a run did not end within `seconds`: which variant holds it up, and what it is doing. By
// variant, 0 old and 1 new.
RunError DescribeStuck(const Activity (&activities)[2], double seconds);

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_RUN_COLLECTION_H_
