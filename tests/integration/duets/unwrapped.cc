// A loop in a shared object that is linked with Google Benchmark alone.
#include <benchmark/benchmark.h>

void Unwrapped(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}
