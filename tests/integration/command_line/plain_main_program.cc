// A program with Google Benchmark's own main, which does not know duets.
#include <duetbench/duetbench.h>

#include "tests/integration/work.h"

static void BM_Ordinary(benchmark::State& state) {
  for (auto _ : state) Steps(50);  // NOLINT(clang-analyzer-deadcode.DeadStores)
}
BENCHMARK(BM_Ordinary);
BENCHMARK(BM_Ordinary)->Threads(2);

static void BM_Once(duetbench::State& state) {
  for (auto _ : state) Steps(100);
}
static void BM_FiveTimes(duetbench::State& state) {
  for (auto _ : state) Steps(500);
}
DUET_BENCHMARK(BM_Once, BM_FiveTimes);

BENCHMARK_MAIN();
