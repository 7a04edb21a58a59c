#ifndef DUETBENCH_VARIANT_BENCHMARK_BASE_H_
#define DUETBENCH_VARIANT_BENCHMARK_BASE_H_

#include <benchmark/benchmark.h>

#include <type_traits>
#include <utility>

namespace duetbench::internal {

// benchmark::internal::Benchmark, later benchmark::Benchmark.
using BenchmarkBase = std::remove_pointer_t<decltype(benchmark::RegisterBenchmark(
    std::declval<const char*>(), std::declval<void (*)(benchmark::State&)>()))>;

}  // namespace duetbench::internal

#endif  // DUETBENCH_VARIANT_BENCHMARK_BASE_H_
