// Built twice: with CHANGE, `Changed` does more, and there is a function that nothing calls.
#include <duetbench/duetbench.h>

#include <cstdio>
#include <vector>

#ifdef CHANGE
int Unrelated(int n) {
  std::vector<int> numbers(static_cast<size_t>(n), 3);
  std::puts("nothing calls this");
  return numbers.back();
}
constexpr int kSteps = 40;
#else
constexpr int kSteps = 20;
#endif

__attribute__((noinline)) static unsigned Mix(unsigned x, int steps) {
  for (int i = 0; i < steps; ++i) x = x * 1664525u + 1013904223u;
  return x;
}

static void Kept(duetbench::State& state) {
  unsigned x = 1;
  for (auto _ : state) benchmark::DoNotOptimize(x = Mix(x, static_cast<int>(state.range(0))));
}
DUET_BENCHMARK(Kept)->Arg(20)->Arg(50);

static void Changed(duetbench::State& state) {
  unsigned x = 1;
  for (auto _ : state) benchmark::DoNotOptimize(x = Mix(x, kSteps));
}
DUET_BENCHMARK(Changed);

static void Ordinary(benchmark::State& state) {
  unsigned x = 1;
  for (auto _ : state) benchmark::DoNotOptimize(x = Mix(x, 30));
}
BENCHMARK(Ordinary);

DUET_MAIN();
