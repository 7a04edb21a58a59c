// Everything that a variant can be.
#include <duetbench/duetbench.h>

#include <functional>
#include <memory>
#include <utility>

#include "tests/integration/work.h"

using duetbench::RegisterDuet;

static int PlainInt() {
  Steps(30);
  return 1;
}
static int PlainNoexcept() noexcept {
  Steps(30);
  return 1;
}
static void PlainVoid() { Steps(30); }
DUET_BENCHMARK(PlainInt, PlainVoid);
DUET_BENCHMARK(PlainInt, PlainNoexcept);

static void TakesState(duetbench::State& state) {
  for (auto _ : state) Steps(30);
}
DUET_BENCHMARK(PlainInt, TakesState);

template <class AnyState>
static void Generic(AnyState& state) {
  for (auto _ : state) Steps(30);
}
DUET_BENCHMARK(Generic<duetbench::State>, TakesState);
DUET_BENCHMARK(Generic, Generic);
DUET_BENCHMARK(Generic, TakesState);

template <int kSteps>
static void Template(duetbench::State& state) {
  for (auto _ : state) Steps(kSteps);
}
DUET_BENCHMARK(Template<30>, Template<31>);

template <int kSteps>
static int PlainTemplate() {
  Steps(kSteps);
  return kSteps;
}
DUET_BENCHMARK(PlainTemplate<30>, PlainTemplate<31>);

struct Functor {
  int steps;
  int operator()() const {
    Steps(steps);
    return steps;
  }
};

struct Owner {
  static void Member(duetbench::State& state) {
    for (auto _ : state) Steps(30);
  }
};
DUET_BENCHMARK(Owner::Member, Owner::Member);

static const auto kGenericLambda = [](auto& state) {
  for (auto _ : state) Steps(30);
};
DUET_BENCHMARK(kGenericLambda, TakesState);

static void Paused(duetbench::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    Steps(2000);
    state.ResumeTiming();
    Steps(20'000);
  }
}
static void Kept(duetbench::State& state) {
  while (state.KeepRunning()) Steps(20'000);
}
static void KeptInBatches(duetbench::State& state) {
  while (state.KeepRunningBatch(10)) {
    for (int i = 0; i < 10; ++i) Steps(30);
  }
}
DUET_BENCHMARK(Paused, Kept);
DUET_BENCHMARK(TakesState, KeptInBatches);

static void RegisterAll() {
  RegisterDuet(
      "lambdas", [] { Steps(30); }, [] { return 2; });
  RegisterDuet(
      "captures", [steps = 30] { Steps(steps); },
      [data = std::make_unique<int>(30)](duetbench::State& state) {
        for (auto _ : state) Steps(*data);
      });
  RegisterDuet("generic_lambdas", kGenericLambda, [](auto& state) {
    for (auto _ : state) Steps(30);
  });
  RegisterDuet("functors", Functor{30}, Functor{31});
  RegisterDuet("std_functions", std::function<void(duetbench::State&)>(TakesState),
               std::function<int()>(PlainInt));
}

// Arguments below zero and of 64 bits reach the process of a run.
static void Extremes(duetbench::State& state) {
  if (state.range(0) != -5 || state.range(1) != int64_t{1} << 62) {
    state.SkipWithError("other arguments than registered");
  }
  for (auto _ : state) Steps(30);
}
DUET_BENCHMARK(Extremes, Extremes)->Args({-5, int64_t{1} << 62});

int main(int argc, char** argv) {
  RegisterAll();
  return duetbench::Main(argc, argv);
}
