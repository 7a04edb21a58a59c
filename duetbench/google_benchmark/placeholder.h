#ifndef DUETBENCH_GOOGLE_BENCHMARK_PLACEHOLDER_H_
#define DUETBENCH_GOOGLE_BENCHMARK_PLACEHOLDER_H_

#include <functional>

#include "duetbench/api/duet_spec.h"
#include "duetbench/google_benchmark/versions.h"

// Duets in a program whose main is Google Benchmark's own (BENCHMARK_MAIN), which knows nothing of
// them: each has a placeholder in Google Benchmark's registry, which fails with the main to link.
// Our main withdraws the placeholders and measures the duets itself.
namespace duetbench {

// Registers a placeholder for a duet. If it runs and a gate is demanded (by the spec or by
// DUET_MAX_RATIO), the program ends with exit status 2, whatever main returns: a gate that was not
// measured must not pass. `cleared` is called when the placeholder is destroyed, by
// benchmark::ClearRegisteredBenchmarks or at the end of the program.
//
// Returns the placeholder, for renaming: it is owned by Google Benchmark. The spec outlives it.
internal::BenchmarkBase* RegisterPlaceholder(const DuetSpec* spec, std::function<void()> cleared);

// From here on Google Benchmark neither runs nor lists placeholders.
void WithdrawPlaceholders();

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_PLACEHOLDER_H_
