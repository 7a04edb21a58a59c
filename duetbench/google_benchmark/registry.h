#ifndef DUETBENCH_GOOGLE_BENCHMARK_REGISTRY_H_
#define DUETBENCH_GOOGLE_BENCHMARK_REGISTRY_H_

#include <functional>
#include <vector>

#include "duetbench/api/duet_spec.h"

namespace duetbench {

// The duets of this program, in order of registration: the one thing that is global, since macros
// register before main. Not for concurrent use with registration.
std::vector<const DuetSpec*> RegisteredDuets();

// Adds a duet to them, and its placeholder to Google Benchmark's registry.
void RegisterSpec(DuetSpec spec);

// A main of Google Benchmark's own (BENCHMARK_MAIN) knows nothing of duets: the placeholder of each
// fails, and names the main to link. If a gate is demanded (by the spec or by DUET_MAX_RATIO), the
// program then ends with exit status 2, whatever main returns: a gate that was not measured must
// not pass. `cleared` is called when the placeholder is destroyed, by
// benchmark::ClearRegisteredBenchmarks or at the end of the program. The spec outlives it.
void RegisterPlaceholder(const DuetSpec* spec, std::function<void()> cleared);

// Our main measures the duets itself: from here on Google Benchmark neither runs nor lists
// placeholders.
void WithdrawPlaceholders();

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_REGISTRY_H_
