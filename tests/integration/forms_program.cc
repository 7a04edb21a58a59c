// Everything that a variant can be, and every chain method before and after one of the duet's own.
#include <duetbench/duetbench.h>

#include <functional>
#include <memory>
#include <utility>

#include "tests/integration/work.h"

using duetbench::RegisterDuet;

// --- Variants ---

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

// --- Chains ---

static void Args(duetbench::State& state) {
  for (auto _ : state) Steps(20 + state.range(0) + state.range(state.range_size() - 1));
}

static void ThreeArgs(duetbench::internal::BenchmarkBase* benchmark) {
  benchmark->Arg(1)->Arg(2)->Arg(3);
}

static void RegisterChains() {
  const auto duet = [](const char* name) { return RegisterDuet(name, Args, Args); };
  duet("before/Name")->Name("before/Renamed")->Runs(2)->Arg(1);
  duet("after/Name")->Runs(2)->Name("after/Renamed")->Arg(1);
  duet("before/Arg")->Arg(1)->Runs(2);
  duet("after/Arg")->Runs(2)->Arg(1);
  duet("before/Args")->Args({1, 2})->Level(0.95);
  duet("after/Args")->Level(0.95)->Args({1, 2});
  duet("before/ArgPair")->ArgPair(1, 2)->Margin(0.02);
  duet("after/ArgPair")->Margin(0.02)->ArgPair(1, 2);
  duet("before/Range")->Range(8, 64)->Fill();
  duet("after/Range")->Fill()->Range(8, 64);
  duet("before/RangeMultiplier")->RangeMultiplier(2)->Fill(false)->Range(8, 16);
  duet("after/RangeMultiplier")->Fill(false)->RangeMultiplier(2)->Range(8, 16);
  duet("before/DenseRange")->DenseRange(1, 3, 2)->Schedule(duetbench::Schedule::kDuet);
  duet("after/DenseRange")->Schedule(duetbench::Schedule::kDuet)->DenseRange(1, 3, 2);
  duet("before/Ranges")->Ranges({{1, 2}, {8, 8}})->Runs(2);
  duet("after/Ranges")->Runs(2)->Ranges({{1, 2}, {8, 8}});
  duet("before/ArgsProduct")->ArgsProduct({{1, 2}, {3, 4}})->Runs(2);
  duet("after/ArgsProduct")->Runs(2)->ArgsProduct({{1, 2}, {3, 4}});
  duet("before/ArgName")->ArgName("n")->Runs(2)->Arg(1);
  duet("after/ArgName")->Runs(2)->ArgName("n")->Arg(1);
  duet("before/ArgNames")->ArgNames({"n", "m"})->Runs(2)->Args({1, 2});
  duet("after/ArgNames")->Runs(2)->ArgNames({"n", "m"})->Args({1, 2});
  duet("before/Apply")->Apply(ThreeArgs)->Runs(2);
  duet("after/Apply")->Runs(2)->Apply(ThreeArgs);
  duet("before/Unit")->Unit(benchmark::kMicrosecond)->Runs(2)->Arg(1);
  duet("after/Unit")->Runs(2)->Unit(benchmark::kMicrosecond)->Arg(1);
  duet("before/MinTime")->MinTime(0.01)->Runs(2)->Arg(1);
  duet("after/MinTime")->Runs(2)->MinTime(0.01)->Arg(1);
  duet("before/Repetitions")->Repetitions(2)->Runs(2)->Arg(1);
  duet("after/Repetitions")->Runs(2)->Repetitions(2)->Arg(1);

  // What the chain says goes before the flags.
  duet("options/Runs")->Runs(3)->Arg(1);
  duet("options/Level")->Level(0.5)->Arg(1);
  duet("options/Margin")->Margin(0.99)->Arg(1);
  duet("options/Schedule")->Schedule(duetbench::Schedule::kInterleaved)->Arg(1);
  duet("options/Fill")->Fill()->Arg(1);
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
  RegisterChains();
  return duetbench::Main(argc, argv);
}
