#ifndef DUETBENCH_REGISTRY_MAIN_H_
#define DUETBENCH_REGISTRY_MAIN_H_

#include <benchmark/benchmark.h>

#include <cstddef>

namespace duetbench {

// How a program with duet benchmarks ends.
enum ExitStatus {
  kSuccess = 0,
  kGateFailed = 1,     // a gate failed, and nothing else went wrong
  kError = 2,          // a benchmark failed, nothing matched the filter, bad usage
  kSkipped = 77,       // no gate failed, but one is inconclusive, with --duet_inconclusive=skip
  kInterrupted = 130,  // by Ctrl-C, as shells expect it
};

// The steps of a main. Each wraps the function of the same name in namespace benchmark, and is to
// be called in its place:
//
//   int main(int argc, char** argv) {
//     duetbench::Initialize(&argc, argv);
//     if (duetbench::ReportUnrecognizedArguments(argc, argv)) return duetbench::kError;
//     return duetbench::RunSpecifiedBenchmarks();
//   }

// Takes the flags of this library and of Google Benchmark out of argv. Ends the program after
// --help and --version, and with kError at a bad value.
void Initialize(int* argc, char** argv);

// True if arguments are left; says which on stderr.
bool ReportUnrecognizedArguments(int argc, char** argv);

// Runs what the filter selects, ordinary benchmarks and duets, and reports it. Returns how the
// program should end.
ExitStatus RunSpecifiedBenchmarks();

// In place of benchmark::RegisterMemoryManager: duets count the allocations of either side with it,
// ordinary benchmarks are served by Google Benchmark as ever. (A manager that is registered there
// directly is not seen by duets, and makes them be measured twice: the library calls each benchmark
// once more under it.) Call it in every process, before RunSpecifiedBenchmarks; null for none.
void RegisterMemoryManager(benchmark::MemoryManager* manager);

// All of it.
int Main(int argc, char** argv);

}  // namespace duetbench

#endif  // DUETBENCH_REGISTRY_MAIN_H_
