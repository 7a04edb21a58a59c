// Both variants work through the same input, again and again; a pass takes 20 ms. New takes three
// times as long in the last 60 % of each pass, so that a run of 8 ms sees no difference.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "duetbench/duetbench.h"
#include "tests/integration/work.h"

namespace {

constexpr int64_t kPass = 70'000;
constexpr int64_t kSteps = 100;  // some 300 ns

int64_t Next(int64_t position) { return position + 1 < kPass ? position + 1 : 0; }

template <class State>
void Pass(State& state, int64_t later) {
  int64_t position = 0;
  for (auto _ : state) {
    Steps(5 * position < 2 * kPass ? kSteps : later);
    position = Next(position);
  }
}

void CalledOld(benchmark::State& state) { Pass(state, kSteps); }
void CalledNew(benchmark::State& state) { Pass(state, 3 * kSteps); }
DUET_BENCHMARK(CalledOld, CalledNew)->Name("called");

void Old(duetbench::State& state) { Pass(state, kSteps); }
void New(duetbench::State& state) { Pass(state, 3 * kSteps); }
DUET_BENCHMARK(Old, New)->Name("loop");

template <int64_t kLater>
void Function() {
  static int64_t position = 0;
  Steps(5 * position < 2 * kPass ? kSteps : kLater);
  position = Next(position);
}
DUET_BENCHMARK(Function<kSteps>, Function<3 * kSteps>)->Name("function");

// The inputs of each run are others.
void Drawn(duetbench::State& state) {
  state.SetLabel(std::to_string(state.seed()));
  for (auto _ : state) Steps(1000);
}
DUET_BENCHMARK(Drawn, Drawn)->Name("drawn");

}  // namespace

DUET_MAIN();
