#ifndef DUETBENCH_PLATFORM_SURVEY_H_
#define DUETBENCH_PLATFORM_SURVEY_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/platform/counter_set.h"
#include "duetbench/platform/event.h"

namespace duetbench {

// An event that cannot be counted here.
struct MissingEvent {
  std::string name;
  std::string cause;  // with a remedy, if there is one
};

// The facts, besides the event itself, that determine if it can be counted.
struct PerfSurroundings {
  std::optional<int> paranoid;  // /proc/sys/kernel/perf_event_paranoid, if it exists
  bool has_pmu = false;         // the kernel drives a PMU of the CPUs
};

// Reads them below `root` ("" in production).
PerfSurroundings ReadPerfSurroundings(const std::string& root);

// Why the kernel refused to open an event. `error` is an errno.
std::string WhyRefused(const EventCode& code, int error, const PerfSurroundings& surroundings);

// One line for each cause: "not counted: CYCLES, INSTRUCTIONS: this machine has no … (…); …".
std::vector<std::string> MissingLines(const std::vector<MissingEvent>& missing);

// Which of the named events this machine counts, determined by counting.
struct EventSurvey {
  std::vector<Event> events;              // that are counted, in their order
  std::vector<std::string> by_callgrind;  // the others, which Callgrind counts in a further run
  std::vector<MissingEvent> missing;
};

using EventResolver = std::function<absl::StatusOr<EventCode>(const std::string&)>;

// Resolves each name, and opens and counts it for a moment on the calling thread. Each event fails
// independently. About 10 µs an event, plus the time of the resolver.
EventSurvey SurveyEvents(const std::vector<std::string>& names, const EventResolver& resolve,
                         PerfSystem* system, const PerfSurroundings& surroundings);

// Splits "INSTRUCTIONS,CYCLES, perf::PAGE-FAULTS" into names, each once, without empty ones.
std::vector<std::string> SplitEventNames(absl::string_view list);

// Resolves a name on this machine, by libpfm4: generic events (CYCLES, perf::PAGE-FAULTS,
// L1-DCACHE-LOAD-MISSES), raw codes (r01c0), events of the PMUs that are present
// (amd64_fam19h_zen3::RETIRED_INSTRUCTIONS), each with libpfm4's modifiers (:u, :k). Upper or lower
// case. Without a modifier only user mode is counted, as in Google Benchmark, except for context
// switches and CPU migrations: those happen in the kernel, which would count 0 of them in user
// mode.
//
// NotFound for a name that no PMU of this machine has, InvalidArgument for a modifier that it does
// not accept or that would always count 0, Unavailable if built without libpfm4, FailedPrecondition
// where it is not installed.
//
// The first call loads libpfm4 and searches for PMUs, which takes 6-20 ms; not for measuring
// threads.
absl::StatusOr<EventCode> ResolveEvent(const std::string& name);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_SURVEY_H_
