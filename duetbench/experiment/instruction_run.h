#ifndef DUETBENCH_EXPERIMENT_INSTRUCTION_RUN_H_
#define DUETBENCH_EXPERIMENT_INSTRUCTION_RUN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/measure/run_process.h"
#include "duetbench/platform/survey.h"
#include "duetbench/record/explanation.h"

// A run of both variants that Callgrind executes: exact counts of instructions and calls, without
// performance counters.
namespace duetbench {

// The path of valgrind(1). NotFound: it is not in PATH, or this processor is not x86-64.
absl::StatusOr<std::string> FindValgrind();

// Counts some iterations of each variant, by `commands` (two at least) that launch `task`, a run of
// two; `time_ns` is the time of an iteration of the slowest one. Two variants take 0.8 s (0.6 s are
// the start of Valgrind), and longer if an iteration takes more than 1 ms. Errors: those of
// FindValgrind and LaunchRun; an iteration takes longer than `longest_ns`; a variant failed, or
// nothing was counted.
absl::StatusOr<std::vector<CallgrindFile>> CountInstructions(std::vector<RunCommand> commands,
                                                             RunTask task, double time_ns,
                                                             double longest_ns);

// The counts of the files, by duet_report.
absl::StatusOr<std::vector<InstructionCounts>> CountsOf(const std::vector<CallgrindFile>& files);

// Which of the events `names` this machine or Callgrind counts (SurveyEvents).
EventSurvey SurveyAllEvents(const std::vector<std::string>& names);

// Adds `events` to the amounts of each result of `run`. `counts` by variant; empty: none is known.
void AddCallgrindEvents(const std::vector<InstructionCounts>& counts,
                        const std::vector<std::string>& events, LaunchedRun* run);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_INSTRUCTION_RUN_H_
