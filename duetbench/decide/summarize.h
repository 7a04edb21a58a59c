#ifndef DUETBENCH_DECIDE_SUMMARIZE_H_
#define DUETBENCH_DECIDE_SUMMARIZE_H_

#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/decide/select_pairs.h"
#include "duetbench/record/options.h"
#include "duetbench/record/run_result.h"

// From the pairs of runs to the estimate of the ratio. Pure functions.
namespace duetbench {

// The estimate from the runs' results, or the failure that there is none. `results` are without
// errors, in order. `share` is that of the final analysis. `measured_together`:
// stats::Reservations has it.
Comparison Summarize(std::vector<RunResult> results, const ExperimentOptions& options,
                     double ns_per_tick, double share = 1, bool measured_together = false);

// Result of a dry run: the raw times of its one pair. `result` is without error.
Comparison SummarizeDryRun(RunResult result, const ExperimentOptions& options, double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_SUMMARIZE_H_
