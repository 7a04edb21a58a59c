#ifndef DUETBENCH_GOOGLE_BENCHMARK_GOOGLE_BENCHMARK_CALLS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_GOOGLE_BENCHMARK_CALLS_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Calls of Google Benchmark's public functions.
namespace duetbench {

// Sets flags of Google Benchmark, each as "--benchmark_NAME=VALUE", after its Initialize and over
// what it read there. The name of the program stays. Google Benchmark has no other way to set them
// from outside.
void SetGoogleBenchmarkFlags(std::vector<std::string> flags);

// The names of the ordinary benchmarks that `filter` selects, each in a separate line. It sets
// flags of Google Benchmark: --benchmark_out is empty afterwards, and --benchmark_list_tests false.
std::string NamesOfOrdinaryBenchmarks(const std::string& filter);

// Calls `call` with a State of Google Benchmark that has the arguments `ranges`, for callbacks and
// fixtures that take one. Only Google Benchmark can construct a State: so this registers a
// benchmark of one iteration and lets Google Benchmark run it, without a report. It sets flags of
// Google Benchmark and takes its memory manager away: no benchmarks are to be run with it later.
void CallWithBorrowedState(const std::vector<int64_t>& ranges,
                           const std::function<void(const benchmark::State&)>& call);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_GOOGLE_BENCHMARK_CALLS_H_
