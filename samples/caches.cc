// Working sets that fill the caches only alone. Where the variants take turns every 50 us, each
// finds a part of its data pushed out by the other, which a program that executes one of them never
// sees. duetbench compares turns with blocks of 5 ms in pilot runs, says both ratios where they
// differ, and measures in blocks.
//
//   samples/caches                                      the ratio that counts
//   samples/caches --duet_schedule=interleaved          in turns: no verdict where turns distort it
//   samples/caches --benchmark_filter=BM_               each function alone, by Google Benchmark
#include <duetbench/duetbench.h>

#include <cstddef>
#include <cstdint>
#include <vector>

static uint64_t Next(uint64_t x) {
  x ^= x << 13;
  x ^= x >> 7;
  return x ^ x << 17;
}

// Reads and writes a random cache line of a table of `kib` KiB.
template <class State>
static void Update(State& state, size_t kib) {
  constexpr size_t kWordsPerLine = 8;
  const size_t lines = kib * 1024 / 64;
  std::vector<uint64_t> table(lines * kWordsPerLine, 1);
  uint64_t x = 88172645463325252u;
  for (auto _ : state) {
    x = Next(x);
    benchmark::DoNotOptimize(table[(x >> 32) * lines / (uint64_t{1} << 32) * kWordsPerLine] += x);
  }
}

template <class State>
static void BM_Update16K(State& state) {
  Update(state, 16);
}
template <class State>
static void BM_Update1M(State& state) {
  Update(state, 1024);
}
template <class State>
static void BM_Update2M(State& state) {
  Update(state, 2048);
}
template <class State>
static void BM_Update4M(State& state) {
  Update(state, 4096);
}

// Computes for about ten times as long, and touches no memory.
template <class State>
static void BM_Compute(State& state) {
  uint64_t x = 88172645463325252u;
  for (auto _ : state) {
    for (int i = 0; i < 20; ++i) x = Next(x);
    benchmark::DoNotOptimize(x);
  }
}

DUET_BENCHMARK(BM_Compute<duetbench::State>, BM_Update1M<duetbench::State>)->Name("none_1M");
DUET_BENCHMARK(BM_Update16K<duetbench::State>, BM_Update1M<duetbench::State>)->Name("16K_1M");
DUET_BENCHMARK(BM_Update16K<duetbench::State>, BM_Update4M<duetbench::State>)->Name("16K_4M");
DUET_BENCHMARK(BM_Update1M<duetbench::State>, BM_Update2M<duetbench::State>)->Name("1M_2M");
BENCHMARK(BM_Compute<benchmark::State>);
BENCHMARK(BM_Update16K<benchmark::State>);
BENCHMARK(BM_Update1M<benchmark::State>);
BENCHMARK(BM_Update2M<benchmark::State>);
BENCHMARK(BM_Update4M<benchmark::State>);

DUET_MAIN();
