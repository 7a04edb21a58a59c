#ifndef DUETBENCH_RUNNER_CALLGRIND_EVENTS_H_
#define DUETBENCH_RUNNER_CALLGRIND_EVENTS_H_

#include <string>
#include <vector>

#include "duetbench/counters/survey.h"
#include "duetbench/explain/instruction_counts.h"
#include "duetbench/run/launched_run.h"

// Events that Callgrind counts, beside those of this machine.
namespace duetbench {

// Which of the events `names` this machine or Callgrind counts (SurveyEvents).
EventSurvey SurveyAllEvents(const std::vector<std::string>& names);

// Adds `events` to the amounts of each result of `run`. `counts` by variant; empty: none is known.
void AddCallgrindEvents(const std::vector<InstructionCounts>& counts,
                        const std::vector<std::string>& events, LaunchedRun* run);

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_CALLGRIND_EVENTS_H_
