#ifndef DUETBENCH_EXPERIMENT_EXPLAINING_RUNS_H_
#define DUETBENCH_EXPERIMENT_EXPLAINING_RUNS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/measure/run_process.h"
#include "duetbench/platform/survey.h"
#include "duetbench/record/explanation.h"
#include "duetbench/record/options.h"
#include "duetbench/record/run_result.h"

// The explanation of a verdict by runs that recorded stacks.
namespace duetbench {

// A run of both variants that Callgrind executes: exact counts of instructions and calls, without
// performance counters.

// Counts some iterations of each variant, by `commands` (two at least) that launch `task`, a run of
// two; `time_ns` is the time of an iteration of the slowest one. Two variants take 0.8 s (0.6 s are
// the start of Valgrind), and longer if an iteration takes more than 1 ms. Errors: those of
// LaunchRun; there is no Valgrind; an iteration takes longer than `longest_ns`; a variant failed,
// or nothing was counted.
absl::StatusOr<std::vector<CallgrindFile>> CountInstructions(std::vector<RunCommand> commands,
                                                             RunTask task, double time_ns,
                                                             double longest_ns);

// The counts of the files, by duet_report.
absl::StatusOr<std::vector<InstructionCounts>> CountsOf(const std::vector<CallgrindFile>& files);

// Which of the events `names` this machine or Callgrind counts (SurveyEvents).
EventSurvey SurveyAllEvents(const std::vector<std::string>& names);

// Adds `events` to the amounts of each result of `run`. `counts` by variant; empty: none is known.
void AddCallgrindEvents(const std::vector<InstructionCounts>& counts,
                        const std::vector<std::string>& events, RunOfPairs* run);

// RunReportTool (report_tool.h).
using ReportTool =
    std::function<absl::StatusOr<std::string>(const std::string&, absl::string_view)>;

Explanation NotExplained(const std::string& error);

// Explains the difference of `comparison` by the runs `results`. Nothing is explained unless these
// runs show that difference again: their interval excludes 1 on the same side, and is compatible
// with between half of the difference and one and a half. The parts cannot tell: they add up to the
// difference of `comparison`, so that one that takes all the time would always be proven. `count`
// has Callgrind count old and new; without counts, the reason goes to stderr, once.
Explanation ExplainByRuns(std::vector<RunResult> results, const ExperimentOptions& options,
                          double ns_per_tick, const Comparison& comparison, bool with_code,
                          const std::function<absl::StatusOr<std::vector<CallgrindFile>>()>& count,
                          const ReportTool& tool);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_EXPLAINING_RUNS_H_
