#ifndef DUETBENCH_ESTIMATE_RUN_REPORTS_H_
#define DUETBENCH_ESTIMATE_RUN_REPORTS_H_

#include <vector>

#include "duetbench/estimate/experiment_result.h"
#include "duetbench/sampling/run_result.h"

namespace duetbench {

// Label and complexity of the last run, and of each counter the mean over the runs that set it to a
// finite value. There must be a run.
void SetReports(const std::vector<RunResult>& results, Measured* measured);

// Items or bytes of an iteration: the mean over the runs that know it; 0 if none does.
double WorkPerIteration(const std::vector<RunResult>& results, int variant,
                        double VariantReport::*work);

}  // namespace duetbench

#endif  // DUETBENCH_ESTIMATE_RUN_REPORTS_H_
