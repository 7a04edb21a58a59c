// Functions of benchmark::State&, as suites of Google Benchmark have them.
#include <duetbench/duetbench.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/work.h"

#ifdef INTEGRATION_UNWRAPPED
void Unwrapped(benchmark::State& state);
DUET_BENCHMARK(Unwrapped, Unwrapped)->Name("unwrapped");
#endif

namespace {

// Work that takes about `factor` times as long, and that no compiler removes. Each step waits for
// the one before, also of the last call.
void Work(int factor) {
  thread_local uint64_t value = 1;
  for (int i = 0; i < 50 * factor; ++i) value = value * 6364136223846793005u + 1;
  benchmark::DoNotOptimize(value);
}

template <int kFactor>
void BM_Range(benchmark::State& state) {
  for (auto _ : state) Work(kFactor);
  state.SetItemsProcessed(state.iterations());
}
DUET_BENCHMARK(BM_Range<1>, BM_Range<10>)->Name("range");

template <int kFactor>
void BM_KeepRunning(benchmark::State& state) {
  while (state.KeepRunning()) Work(kFactor);
}
DUET_BENCHMARK(BM_KeepRunning<1>, BM_KeepRunning<10>)->Name("keep_running");

template <int kFactor>
void BM_Batch(benchmark::State& state) {
  while (state.KeepRunningBatch(10)) {
    for (int i = 0; i < 10; ++i) Work(kFactor);
  }
}
DUET_BENCHMARK(BM_Batch<1>, BM_Batch<10>)->Name("batch");

// Executes a whole batch, however few iterations are asked for.
void BM_LargeBatch(benchmark::State& state) {
  while (state.KeepRunningBatch(20'000)) {
    for (int i = 0; i < 20'000; ++i) Work(1);
  }
}
DUET_BENCHMARK(BM_LargeBatch, BM_Range<10>)->Name("large_batch");

// The set-up takes as long for both, and much longer than an iteration.
template <int kFactor>
void BM_SetUp(benchmark::State& state) {
  std::vector<int> numbers(static_cast<size_t>(state.range(0)));
  std::iota(numbers.begin(), numbers.end(), 0);
  for (auto _ : state) Work(kFactor);
  benchmark::DoNotOptimize(numbers.data());
  state.SetLabel("of " + std::to_string(state.range(0)));
  state.counters["numbers"] = static_cast<double>(numbers.size());
}
DUET_BENCHMARK(BM_SetUp<1>, BM_SetUp<10>)->Name("set_up")->Arg(100000);

// The first iterations of each call take a millisecond, for both alike.
template <int kFactor>
void BM_SlowStart(benchmark::State& state) {
  int iterations = 0;
  for (auto _ : state) Work(++iterations <= 40 ? 400 : 10 * kFactor);
}
DUET_BENCHMARK(BM_SlowStart<1>, BM_SlowStart<10>)->Name("slow_start");

// Tells how often it was called in this process.
template <int kFactor>
void BM_CountsCalls(benchmark::State& state) {
  static std::atomic<int> calls{0};
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  for (auto _ : state) Work(kFactor);
  state.counters["calls"] = ++calls;
}
DUET_BENCHMARK(BM_CountsCalls<1>, BM_CountsCalls<10>)->Name("counts_calls");

// The paused work takes twenty times as long as the timed work.
template <int kFactor>
void BM_Paused(benchmark::State& state) {
  for (auto _ : state) {
    Work(10 * kFactor);
    state.PauseTiming();
    Work(200);
    state.ResumeTiming();
  }
}
DUET_BENCHMARK(BM_Paused<1>, BM_Paused<10>)->Name("paused");

template <int kFactor>
void BM_Manual(benchmark::State& state) {
  for (auto _ : state) {
    Work(1);
    state.SetIterationTime(1e-6 * kFactor);
  }
}
DUET_BENCHMARK(BM_Manual<2>, BM_Manual<3>)->Name("manual")->UseManualTime();

void BM_Error(benchmark::State& state) {
  state.SkipWithError("there is no file");
  for (auto _ : state) Work(1);
}
DUET_BENCHMARK(BM_Range<1>, BM_Error)->Name("error");

void BM_WithoutLoop(benchmark::State&) {}
DUET_BENCHMARK(BM_WithoutLoop, BM_Range<1>)->Name("without_loop");

void BM_LeavesEarly(benchmark::State& state) {
  int iterations = 0;
  for (auto _ : state) {
    if (++iterations == 3) return;
  }
}
DUET_BENCHMARK(BM_LeavesEarly, BM_Range<1>)->Name("leaves_early");

// One is called for each sample, the other has one loop for all.
void BM_OneLoop(duetbench::State& state) {
  for (auto _ : state) Work(10);
}
DUET_BENCHMARK(BM_Range<1>, BM_OneLoop)->Name("mixed");

BENCHMARK(BM_Range<1>)->Name("ordinary");

}  // namespace

DUET_MAIN();
