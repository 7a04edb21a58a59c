#ifndef DUETBENCH_PLATFORM_EVENT_NAMES_H_
#define DUETBENCH_PLATFORM_EVENT_NAMES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/platform/event.h"

namespace duetbench {

// Splits "INSTRUCTIONS,CYCLES, perf::PAGE-FAULTS" into names, each once, without empty ones.
std::vector<std::string> SplitEventNames(absl::string_view list);

// True if this library was built with libpfm4, which knows the names of events.
bool CanResolveEvents();

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

#endif  // DUETBENCH_PLATFORM_EVENT_NAMES_H_
