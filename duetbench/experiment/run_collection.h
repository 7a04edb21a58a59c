#ifndef DUETBENCH_EXPERIMENT_RUN_COLLECTION_H_
#define DUETBENCH_EXPERIMENT_RUN_COLLECTION_H_

#include "duetbench/experiment/measuring_loop.h"
#include "duetbench/experiment/run_result.h"
#include "duetbench/experiment/run_rounds.h"

namespace duetbench {

// What both threads of a run, which have ended, measured. Moves the reports of the variants out of
// the run. A run with an error has no pairs.
RunResult CollectRun(RunInProgress& run);

// Whether a loop with this activity keeps the run from ending; others wait.
bool HoldsUpTheRun(Activity activity);

// Why a run did not end within `seconds`: which variant holds it up, and what it is doing. By
// variant, 0 old and 1 new.
RunError DescribeStuck(const Activity (&activities)[2], double seconds);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_RUN_COLLECTION_H_
