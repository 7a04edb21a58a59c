// A duet program whose ratios are known, for the tests of duet_lab: the same function on both
// sides, twice the steps, and a variant that fails.
#include <duetbench/duetbench.h>

#include <cstdint>

namespace {

void Steps(duetbench::State& state, int64_t steps) {
  uint32_t value = 1;
  for (auto _ : state) {
    for (int64_t i = 0; i < steps; ++i) benchmark::DoNotOptimize(value = value * 5 + 1);
  }
}

void Once(duetbench::State& state) { Steps(state, state.range(0)); }
void Twice(duetbench::State& state) { Steps(state, 2 * state.range(0)); }
void Fails(duetbench::State& state) { state.SkipWithError("on purpose"); }

DUET_BENCHMARK(Once, Once)->Arg(100);
DUET_BENCHMARK(Once, Twice)->Arg(100);
DUET_BENCHMARK(Once, Fails)->Arg(100);

}  // namespace

DUET_MAIN();
