#ifndef DUETBENCH_GOOGLE_BENCHMARK_BENCHMARK_SETTINGS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_BENCHMARK_SETTINGS_H_

#include <string>
#include <vector>

#include "duetbench/api/duet_benchmark.h"

// The settings of a benchmark of Google Benchmark.
namespace duetbench {

// Copies everything to `duet` but Setup, Teardown and Threads; of the statistics those that not
// every benchmark has.
void CopySettings(const internal::BenchmarkBase& base, DuetBenchmark* duet);
void CopyCallbacks(const internal::BenchmarkBase& base, DuetBenchmark* duet);

const std::string& NameOf(const internal::BenchmarkBase& base);
const std::vector<int>& ThreadCountsOf(const internal::BenchmarkBase& base);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_BENCHMARK_SETTINGS_H_
