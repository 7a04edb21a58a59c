#ifndef DUETBENCH_COUNTERS_EVENT_NAMES_H_
#define DUETBENCH_COUNTERS_EVENT_NAMES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/counters/event.h"

namespace duetbench {

// "INSTRUCTIONS,CYCLES, perf::PAGE-FAULTS" as names, each once, empty ones left out.
std::vector<std::string> SplitEventNames(absl::string_view list);

// Whether this library was built with libpfm4, which knows the names of events.
bool CanResolveEvents();

// What a name stands for on this machine, by libpfm4: generic events (CYCLES, perf::PAGE-FAULTS,
// L1-DCACHE-LOAD-MISSES), raw codes (r01c0), events of the PMUs that are present
// (amd64_fam19h_zen3::RETIRED_INSTRUCTIONS), each with the library's modifiers (:u, :k). Upper or
// lower case. Without a modifier user mode is counted alone, as Google Benchmark does, except for
// context switches and CPU migrations: those happen in the kernel, and with user mode alone the
// kernel opens them and counts 0 for ever.
//
// NotFound for a name that no PMU of this machine has, InvalidArgument for a modifier that it does
// not take or that would always count 0, Unavailable if built without libpfm4.
//
// The first call looks for PMUs, which takes 6-20 ms; not for measuring threads.
absl::StatusOr<EventCode> ResolveEvent(const std::string& name);

}  // namespace duetbench

#endif  // DUETBENCH_COUNTERS_EVENT_NAMES_H_
