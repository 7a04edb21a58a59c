// Duets and ordinary benchmarks with their own statistics and complexities.
#include <duetbench/duetbench.h>

#include <algorithm>
#include <vector>

#include "tests/integration/work.h"

static double Largest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

template <class AnyState>
static void BM_Counted(AnyState& state) {
  for (auto _ : state) Steps(100);
  state.SetItemsProcessed(state.iterations());
  state.counters["zero"] = 0;
  state.SetLabel("counted");
}
DUET_BENCHMARK(BM_Counted<duetbench::State>, BM_Counted<duetbench::State>)
    ->Name("Counted")
    ->ComputeStatistics("largest", Largest);
BENCHMARK(BM_Counted<benchmark::State>)->Name("Ordinary")->ComputeStatistics("largest", Largest);

template <class AnyState>
static void BM_Linear(AnyState& state) {
  for (auto _ : state) Steps(state.range(0));
  state.SetComplexityN(state.range(0));
}
// Reports times with a known growth, so that no noise makes them grow otherwise: a nanosecond for
// each of the argument, or always 2000.
static void BM_ReportsLinear(duetbench::State& state) {
  for (auto _ : state) {
    Steps(100);
    state.SetIterationTime(1e-9 * static_cast<double>(state.range(0)));
  }
  state.SetComplexityN(state.range(0));
}
static void BM_ReportsConstant(duetbench::State& state) {
  for (auto _ : state) {
    Steps(100);
    state.SetIterationTime(2000e-9);
  }
  state.SetComplexityN(state.range(0));
}
DUET_BENCHMARK(BM_ReportsConstant, BM_ReportsLinear)
    ->Name("Grows")
    ->UseManualTime()
    ->RangeMultiplier(8)
    ->Range(64, 8 << 10)
    ->Complexity();
DUET_BENCHMARK(BM_Linear<duetbench::State>, BM_Linear<duetbench::State>)
    ->Name("Lambda")
    ->Range(512, 4 << 10)
    ->Complexity([](benchmark::IterationCount n) { return static_cast<double>(n); });
BENCHMARK(BM_Linear<benchmark::State>)
    ->Name("OrdinaryGrows")
    ->RangeMultiplier(8)
    ->Range(64, 8 << 10)
    ->Complexity(benchmark::oN);

DUET_MAIN();
