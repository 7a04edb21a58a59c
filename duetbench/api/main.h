#ifndef DUETBENCH_API_MAIN_H_
#define DUETBENCH_API_MAIN_H_

#include <benchmark/benchmark.h>

#include <string>

#include "duetbench/platform/exit_status.h"

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
//
// The arguments are those of Google Benchmark: a reporter for the display in place of that of
// --benchmark_format, one for the file that --benchmark_out names in place of JSON (null: the usual
// one), and what to run in place of --benchmark_filter. Duets have the rows NAME/old, NAME/new and
// NAME, whose times are those of each variant and the ratio.
ExitStatus RunSpecifiedBenchmarks(benchmark::BenchmarkReporter* display_reporter = nullptr,
                                  benchmark::BenchmarkReporter* file_reporter = nullptr);
ExitStatus RunSpecifiedBenchmarks(benchmark::BenchmarkReporter* display_reporter,
                                  benchmark::BenchmarkReporter* file_reporter,
                                  const std::string& spec);
inline ExitStatus RunSpecifiedBenchmarks(benchmark::BenchmarkReporter* display_reporter,
                                         const std::string& spec) {
  return duetbench::RunSpecifiedBenchmarks(display_reporter, nullptr, spec);
}
inline ExitStatus RunSpecifiedBenchmarks(const std::string& spec) {
  return RunSpecifiedBenchmarks(nullptr, nullptr, spec);
}

// Ordinary benchmarks count their allocations with `manager`, and duets those of each variant. Call
// it in every process, before RunSpecifiedBenchmarks; null for none. (A manager registered with
// benchmark::RegisterMemoryManager serves ordinary benchmarks only.)
void RegisterMemoryManager(benchmark::MemoryManager* manager);

// All of it.
int Main(int argc, char** argv);

}  // namespace duetbench

#endif  // DUETBENCH_API_MAIN_H_
