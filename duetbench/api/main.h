#ifndef DUETBENCH_API_MAIN_H_
#define DUETBENCH_API_MAIN_H_

#include <benchmark/benchmark.h>

#include "duetbench/process/exit_status.h"

namespace duetbench {

// The steps of a main. Each replaces the function of the same name in namespace benchmark:
//
//   int main(int argc, char** argv) {
//     duetbench::Initialize(&argc, argv);
//     if (duetbench::ReportUnrecognizedArguments(argc, argv)) return duetbench::kExitError;
//     return duetbench::RunSpecifiedBenchmarks();
//   }

// Takes the flags of duetbench and of Google Benchmark out of argv. Ends the program after --help
// and --version, and with kExitError at a bad value.
void Initialize(int* argc, char** argv);

// True if arguments are left; prints the first of them on stderr.
bool ReportUnrecognizedArguments(int argc, char** argv);

// Runs what the filter selects, ordinary benchmarks first and then duets, and reports it. Returns
// how the program should end. In the process of a run it executes that run and does not return.
ExitStatus RunSpecifiedBenchmarks();

// Ordinary benchmarks count their allocations with `manager`, and duets those of each variant. Call
// it in every process, before RunSpecifiedBenchmarks; null for none. (A manager registered with
// benchmark::RegisterMemoryManager serves ordinary benchmarks only.)
void RegisterMemoryManager(benchmark::MemoryManager* manager);

// All of it.
int Main(int argc, char** argv);

}  // namespace duetbench

#endif  // DUETBENCH_API_MAIN_H_
