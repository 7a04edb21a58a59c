// A true difference of 5 %, as Google Benchmark and as a duet measure it. Beside a process that
// comes and goes, the two benchmarks meet different seconds of it; the two variants of a duet meet
// the same ones:
//
//   (while :; do timeout 1 dd if=/dev/zero of=/dev/null bs=64M 2>/dev/null; sleep 1; done) &
//   samples/noisy --benchmark_repetitions=3
//   kill $!
#include <duetbench/duetbench.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

// One function for both, so that they differ in nothing but `size`: not in where their code lies.
template <class State>
static void SumOf(State& state, size_t size) {
  std::vector<uint64_t> values(size, 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::accumulate(values.begin(), values.end(), uint64_t{0}));
    benchmark::ClobberMemory();
  }
}

template <class State>
static void BM_Old(State& state) {
  SumOf(state, 40'000);
}
template <class State>
static void BM_New(State& state) {
  SumOf(state, 42'000);
}
BENCHMARK(BM_Old<benchmark::State>)->Name("BM_Old");
BENCHMARK(BM_New<benchmark::State>)->Name("BM_New");
DUET_BENCHMARK(BM_Old<duetbench::State>, BM_New<duetbench::State>)
    ->Name("BM_Old_vs_BM_New")
    ->VariantNames("BM_Old", "BM_New");

DUET_MAIN();
