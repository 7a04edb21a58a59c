#ifndef DUETBENCH_GOOGLE_BENCHMARK_REGISTRY_H_
#define DUETBENCH_GOOGLE_BENCHMARK_REGISTRY_H_

#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <vector>

#include "duetbench/api/duet_benchmark.h"
#include "duetbench/api/duet_spec.h"

namespace duetbench {

// The duets of this program, in order of registration: the one thing that is global, since macros
// register before main. Not for concurrent use with registration.
std::vector<const DuetSpec*> RegisteredDuets();

// Adds a duet to them, and its placeholder to Google Benchmark's registry.
DuetBenchmark* RegisterSpec(DuetSpec spec);

// A main of Google Benchmark's own (BENCHMARK_MAIN) knows nothing of duets: the placeholder of each
// fails, and names the main to link. If a gate is demanded (by the spec or by DUET_MAX_RATIO), the
// program then ends with exit status 2, whatever main returns: a gate that was not measured must
// not pass. `cleared` is called when the placeholder is destroyed, by
// benchmark::ClearRegisteredBenchmarks or at the end of the program. The spec outlives it.
void RegisterPlaceholder(const DuetSpec* spec, std::function<void()> cleared);

// The memory manager of this program (RegisterMemoryManager, main.h); null: it has none.
benchmark::MemoryManager* RegisteredMemoryManager();

// Our main measures the duets itself: from here on Google Benchmark neither runs nor lists
// placeholders.
void WithdrawPlaceholders();

// The ordinary benchmarks of this program (BENCHMARK, RegisterBenchmark) as duets of which both
// variants are the same: one side of a comparison with another program. In order of registration.
// Only those of DUET_BENCHMARK(f) in a program that was not linked with --wrap: Google Benchmark
// lists its benchmarks to nobody. A benchmark with several numbers of threads has a spec for each
// (DuetSpec::threads).
//
// Made anew by each call; the specs are never destroyed.
std::vector<const DuetSpec*> OrdinaryBenchmarks();

namespace internal {

// Called where a program registers a benchmark, and where it destroys all of them.
void NoteRegistered(BenchmarkBase* registered);
void NoteCleared();
// Registers a benchmark that is none of the program, but of duetbench.
void RegisterOwn(std::unique_ptr<BenchmarkBase> own);

}  // namespace internal
}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_REGISTRY_H_
