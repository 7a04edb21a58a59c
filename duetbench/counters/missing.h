#ifndef DUETBENCH_COUNTERS_MISSING_H_
#define DUETBENCH_COUNTERS_MISSING_H_

#include <optional>
#include <string>
#include <vector>

#include "duetbench/counters/event.h"

namespace duetbench {

// An event that cannot be counted here.
struct MissingEvent {
  std::string name;
  std::string reason;  // with the errno in words
  std::string remedy;  // what would help; may be empty
};

// What decides about permission and presence, apart from the event itself.
struct PerfSurroundings {
  std::optional<int> paranoid;  // /proc/sys/kernel/perf_event_paranoid; nothing: no such file
  bool has_pmu = false;         // the kernel drives a PMU of the CPUs
};

// Reads them below `root` ("" in production).
PerfSurroundings ReadPerfSurroundings(const std::string& root);

// Why the kernel refused to open an event, and what to do. `error` is an errno.
MissingEvent ExplainRefusal(const std::string& name, const EventCode& code, int error,
                            const PerfSurroundings& surroundings);

// A line for each reason: "not counted: CYCLES, INSTRUCTIONS: this machine has no … (…); …".
std::vector<std::string> MissingLines(const std::vector<MissingEvent>& missing);

}  // namespace duetbench

#endif  // DUETBENCH_COUNTERS_MISSING_H_
