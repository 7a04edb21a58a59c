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
DUET_BENCHMARK(BM_Linear<duetbench::State>, BM_Linear<duetbench::State>)
    ->Name("Grows")
    ->Arg(64)
    ->Arg(512)
    ->Complexity();
BENCHMARK(BM_Linear<benchmark::State>)
    ->Name("OrdinaryGrows")
    ->RangeMultiplier(8)
    ->Range(64, 8 << 10)
    ->Complexity(benchmark::oN);

DUET_MAIN();
