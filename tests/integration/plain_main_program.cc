// A program with the library's own main, which knows nothing of this one.
#include <duetbench/duetbench.h>

#include <chrono>
#include <cstdio>
#include <thread>

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

// Takes two milliseconds and hardly any CPU time.
static void BM_Sleeps(duetbench::State& state) {
  for (auto _ : state) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}
DUET_BENCHMARK(BM_Sleeps, BM_Sleeps)->Name("Sleeps");
DUET_BENCHMARK(BM_Sleeps, BM_Sleeps)->Name("SleepsReal")->UseRealTime();

static void BM_Manual(duetbench::State& state) {
  for (auto _ : state) {
    Steps(1000);
    state.SetIterationTime(0.25);
  }
}
DUET_BENCHMARK(BM_Manual, BM_Manual)->Name("Manual")->UseManualTime();

static void BM_Grows(duetbench::State& state) {
  for (auto _ : state) Steps(state.range(0));
  state.SetComplexityN(state.range(0));
}
DUET_BENCHMARK(BM_Grows, BM_Grows)->Name("Grows")->Range(512, 4096)->Complexity(benchmark::oN);

// Notes where its code lies.
static void BM_Placed(duetbench::State& state) {
  char where[40];
  std::snprintf(where, sizeof(where), "%p", reinterpret_cast<void*>(&BM_Placed));
  Note(where);
  for (auto _ : state) Steps(100);
}
DUET_BENCHMARK(BM_Placed, BM_Placed)->Runs(4);

BENCHMARK_MAIN();
