// Variants without work, in each form that a loop may have, beside one that has some. The compiler
// has folded what they compute, as it does where inputs are constants.
#include <duetbench/duetbench.h>

#include "tests/integration/work.h"

static int Sum() {
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += i;
  return sum;
}

static void Working(duetbench::State& state) {
  for (auto _ : state) Steps(50);
}
static void Nothing(duetbench::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}
static void Folded(duetbench::State& state) {
  for (auto _ : state) {
    int sum = Sum();
    benchmark::DoNotOptimize(sum);
  }
}
static void KeepRunning(duetbench::State& state) {
  while (state.KeepRunning()) {
    int sum = Sum();
    benchmark::DoNotOptimize(sum);
  }
}
static void Called(benchmark::State& state) {
  for (auto _ : state) {
    int sum = Sum();
    benchmark::DoNotOptimize(sum);
  }
}
static void CalledKeepRunning(benchmark::State& state) {
  while (state.KeepRunning()) benchmark::ClobberMemory();
}
static int One() { return 1; }
static int Two() { return 2; }

DUET_BENCHMARK(Working, Nothing);
DUET_BENCHMARK(Folded, Working);
DUET_BENCHMARK(Working, KeepRunning);
DUET_BENCHMARK(Working, Called);
DUET_BENCHMARK(CalledKeepRunning, Working);
DUET_BENCHMARK(Working, One);
DUET_BENCHMARK(One, Nothing)->MaxRatio(1.05);
DUET_BENCHMARK(Folded, One)->MaxRatio(1.05);
DUET_BENCHMARK(One, Two);

int main(int argc, char** argv) {
  duetbench::RegisterDuet("Lambda", Working, [] { return Sum(); });
  return duetbench::Main(argc, argv);
}
