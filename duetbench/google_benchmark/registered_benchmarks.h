#ifndef DUETBENCH_GOOGLE_BENCHMARK_REGISTERED_BENCHMARKS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_REGISTERED_BENCHMARKS_H_

#include <memory>
#include <vector>

#include "duetbench/api/duet_benchmark.h"
#include "duetbench/api/duet_spec.h"

namespace duetbench {

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

#endif  // DUETBENCH_GOOGLE_BENCHMARK_REGISTERED_BENCHMARKS_H_
