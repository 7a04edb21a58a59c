#ifndef DUETBENCH_RUNNER_EXPLAINING_RUNS_H_
#define DUETBENCH_RUNNER_EXPLAINING_RUNS_H_

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/estimate/comparison.h"
#include "duetbench/explain/code_names.h"
#include "duetbench/explain/explanation.h"
#include "duetbench/explain/instruction_counts.h"
#include "duetbench/plan/options.h"
#include "duetbench/sampling/run_result.h"

// The explanation of a verdict by runs that recorded stacks.
namespace duetbench {

// Explains the difference of `estimate` by the runs `results`. Nothing is explained unless these
// runs show that difference again: their interval excludes 1 on the same side, and is compatible
// with between half of the difference and one and a half. The parts cannot tell: they add up to the
// difference of `estimate`, so that one that takes all the time would always be proven. `count`
// counts the instructions of old and new, beside the search for names; without counts, the reason
// goes to stderr, once.
Explanation ExplainByRuns(
    std::vector<RunResult> results, const ExperimentOptions& options, double ns_per_tick,
    const Estimate& estimate, CodeNames* names,
    const std::function<absl::StatusOr<std::vector<InstructionCounts>>()>& count);

// Sets DifferencePart::same_code where old and new execute the function in one file: a function of
// both is the same code, and the functions that are compared are not.
void CompareNamedCode(Explanation* explanation);

// Sets Explanation::listing to the hottest loop of the first function that is named, as objdump(1)
// prints it, or to one line why there is none. About 0.1 s.
void ListHottestLoop(Explanation* explanation);

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_EXPLAINING_RUNS_H_
