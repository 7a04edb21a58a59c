#ifndef DUETBENCH_COUNTERS_SURVEY_H_
#define DUETBENCH_COUNTERS_SURVEY_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/counters/event.h"
#include "duetbench/counters/missing.h"
#include "duetbench/counters/perf_system.h"

namespace duetbench {

// What of the named events this machine counts, found out by counting.
struct EventSurvey {
  std::vector<Event> events;  // that can be counted, in their order
  std::vector<MissingEvent> missing;
  // Groups that the events take turns in, since the PMU cannot count all at once.
  size_t turns = 1;
};

using EventResolver = std::function<absl::StatusOr<EventCode>(const std::string&)>;

// Resolves each name, opens and counts it for a moment on the calling thread. Each event fails by
// itself. About 10 µs an event, and what the resolver takes.
EventSurvey SurveyEvents(const std::vector<std::string>& names, const EventResolver& resolve,
                         PerfSystem* system, const PerfSurroundings& surroundings);

}  // namespace duetbench

#endif  // DUETBENCH_COUNTERS_SURVEY_H_
