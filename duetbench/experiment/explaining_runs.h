#ifndef DUETBENCH_EXPERIMENT_EXPLAINING_RUNS_H_
#define DUETBENCH_EXPERIMENT_EXPLAINING_RUNS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/record/explanation.h"
#include "duetbench/record/options.h"
#include "duetbench/record/run_result.h"

// The explanation of a verdict by runs that recorded stacks.
namespace duetbench {

// RunReportTool (report_tool.h).
using ReportTool =
    std::function<absl::StatusOr<std::string>(const std::string&, absl::string_view)>;

Explanation NotExplained(const std::string& error);

// Explains the difference of `estimate` by the runs `results`. Nothing is explained unless these
// runs show that difference again: their interval excludes 1 on the same side, and is compatible
// with between half of the difference and one and a half. The parts cannot tell: they add up to the
// difference of `estimate`, so that one that takes all the time would always be proven. `count`
// has Callgrind count old and new; without counts, the reason goes to stderr, once.
Explanation ExplainByRuns(std::vector<RunResult> results, const ExperimentOptions& options,
                          double ns_per_tick, const Estimate& estimate, bool with_code,
                          const std::function<absl::StatusOr<std::vector<CallgrindFile>>()>& count,
                          const ReportTool& tool);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_EXPLAINING_RUNS_H_
