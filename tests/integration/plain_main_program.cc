// A program with the library's own main, which knows nothing of this one.
#include <duetbench/duetbench.h>

#include "tests/integration/work.h"

static void BM_Ordinary(benchmark::State& state) {
  for (auto _ : state) Steps(50);  // NOLINT(clang-analyzer-deadcode.DeadStores)
}
BENCHMARK(BM_Ordinary);

static void BM_Once(duetbench::State& state) {
  Note("old");
  for (auto _ : state) Steps(100);
}
static void BM_FiveTimes(duetbench::State& state) {
  Note("new");
  for (auto _ : state) Steps(500);
}
DUET_BENCHMARK(BM_Once, BM_FiveTimes);

static void BM_Skips(duetbench::State& state) { state.SkipWithError("no data"); }
DUET_BENCHMARK(BM_Once, BM_Skips);

BENCHMARK_MAIN();
