// A shared object that is linked with Google Benchmark alone. In the new build it takes twice the
// time.
#include <benchmark/benchmark.h>

static void Part(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(PART_SECONDS);
}
BENCHMARK(Part)->UseManualTime();
