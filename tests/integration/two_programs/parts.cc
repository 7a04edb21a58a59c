// A program with duetbench that loads the benchmarks of part.cc.
#include <benchmark/benchmark.h>

static void Whole(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(1e-3);
}
BENCHMARK(Whole)->UseManualTime();

BENCHMARK_MAIN();
