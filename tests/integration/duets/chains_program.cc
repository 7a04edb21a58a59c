// Chain methods, as far as they change what is measured.
#include <duetbench/duetbench.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/integration/work.h"

using duetbench::RegisterDuet;

static void Args(duetbench::State& state) {
  for (auto _ : state) Steps(20 + state.range(0) + state.range(state.range_size() - 1));
}

static void Linear(duetbench::State& state) {
  for (auto _ : state) Steps(20 * state.range(0));
  state.SetComplexityN(state.range(0));
}

static void Manual(duetbench::State& state) {
  for (auto _ : state) {
    Steps(20);
    state.SetIterationTime(1e-6 * static_cast<double>(state.range(0)));
  }
}

static void Exactly(duetbench::State& state) {
  for (auto _ : state) Steps(20'000);
  if (state.iterations() != state.range(0)) state.SkipWithError("another number of iterations");
}

template <int kStep>
static void CountsSum(duetbench::State& state) {
  double sum = 0;
  for (auto _ : state) sum += kStep;
  state.counters["sum"] = sum;
}

static void Reserves(duetbench::State& state) {
  std::vector<int64_t> results(static_cast<size_t>(state.max_iterations));
  size_t used = 0;
  for (auto _ : state) {
    Steps(30);
    results.at(used++) = 1;
  }
}

static void LeavesOut(duetbench::State& state) {
  state.SkipWithMessage("this machine has no abacus");
  for (auto _ : state) Steps(30);
}

static bool is_set_up = false;

static void SetUp(const benchmark::State& state) {
  Note(("Setup/" + std::to_string(state.range(0))).c_str());
  is_set_up = true;
}
static void TearDown(const benchmark::State& state) {
  Note(("Teardown/" + std::to_string(state.range(0))).c_str());
  is_set_up = false;
}
static void NeedsSetup(duetbench::State& state) {
  Note("Variant");
  if (!is_set_up) state.SkipWithError("is not set up");
  for (auto _ : state) Steps(30);
}

// Methods of Google Benchmark behind one of the duet; tests/api has all of them.
static void RegisterChains() {
  const auto duet = [](const char* name) { return RegisterDuet(name, Args, Args); };
  duet("chain/Name")->Runs(2)->Name("chain/Renamed")->Arg(1);
  duet("chain/ArgsProduct")->Runs(2)->ArgsProduct({{1, 2}, {3, 4}});
  duet("chain/ArgNames")->Runs(2)->ArgNames({"n", "m"})->Args({1, 2});
  duet("chain/ApplyLambda")->Runs(2)->Apply([](auto* b) { b->Arg(1)->Arg(2)->MinTime(0.01); });
  duet("chain/Unit")->Runs(2)->Unit(benchmark::kMicrosecond)->Arg(1);
  duet("chain/MinTime")->Runs(2)->MinTime(0.01)->Arg(1);
  duet("chain/Repetitions")->Runs(2)->Repetitions(2)->Arg(1);
  RegisterDuet("chain/Iterations", Exactly, Exactly)->Runs(2)->Arg(1000)->Iterations(1000);
  RegisterDuet("one_iteration", Exactly, Exactly)->Iterations(1)->Arg(1);
  duet("chain/MinWarmUpTime")->Runs(2)->MinWarmUpTime(0.01)->Arg(1);
  duet("chain/UseRealTime")->Runs(2)->UseRealTime()->Arg(1);
  duet("chain/MeasureProcessCPUTime")->Runs(2)->MeasureProcessCPUTime()->Arg(1);
  RegisterDuet("chain/UseManualTime", Manual, Manual)->Runs(2)->UseManualTime()->Arg(7);
  RegisterDuet("chain/Complexity", Linear, Linear)->Runs(2)->Range(8, 64)->Complexity();
  RegisterDuet("chain/Setup", NeedsSetup, NeedsSetup)
      ->DenseRange(1, 2)
      ->Runs(2)
      ->Teardown([](const benchmark::State& state) { TearDown(state); })
      ->Setup([](const benchmark::State& state) { SetUp(state); });

  const auto numbers = [] { return std::vector<int>{1, 2, 3}; };
  RegisterDuet("equal/values", numbers, numbers)->CheckEqual()->Runs(2);
  RegisterDuet(
      "equal/signs", [] { return 7; }, [] { return size_t{7}; })
      ->Runs(2)
      ->CheckEqual();
  RegisterDuet("equal/counters", CountsSum<1>, CountsSum<1>)->CheckEqual()->Arg(1)->Runs(2);
  RegisterDuet("equal/not_asked", CountsSum<1>, CountsSum<2>)->Arg(1)->Runs(2);
  RegisterDuet("unequal/values", numbers, [] { return std::vector<int>{1, 2, 4}; })->CheckEqual();
  RegisterDuet("unequal/counters", CountsSum<1>, CountsSum<2>)->Arg(1)->CheckEqual();
  RegisterDuet("unequal/nothing", Args, Args)->Arg(1)->CheckEqual();
  RegisterDuet(
      "unequal/throws", [] { return 1; }, []() -> int { throw std::runtime_error("no"); })
      ->CheckEqual();
  RegisterDuet(
      "unequal/setup", [] { return is_set_up ? 1 : 2; }, [] { return 3; })
      ->Setup([](const benchmark::State&) { is_set_up = true; })
      ->CheckEqual();
  RegisterDuet("max_iterations/known", Reserves, Reserves)->Iterations(1000);
  RegisterDuet("max_iterations/unknown", Reserves, Reserves);
  RegisterDuet("left_out", Linear, LeavesOut)->Arg(1);

  RegisterDuet("warm_up", NeedsSetup, NeedsSetup)
      ->Setup(SetUp)
      ->MinTime(0.01)
      ->MinWarmUpTime(0.01)
      ->Runs(2)
      ->Arg(1);
  // Cannot be done.
  RegisterDuet("impossible/threads", Linear, Linear)
      ->Apply([](duetbench::internal::BenchmarkBase* b) { b->Threads(2); })
      ->Arg(1);
  RegisterDuet("impossible/setup", Linear, Linear)
      ->Setup([](const benchmark::State&) { throw std::runtime_error("no disk"); })
      ->Arg(1);

  // The chain takes precedence over the flags.
  duet("options/Runs")->Runs(3)->Arg(1);
  duet("options/Level")->Level(0.5)->Arg(1);
  duet("options/Margin")->Margin(0.99)->Arg(1);
  duet("options/Schedule")->Schedule(duetbench::Schedule::kInterleaved)->Arg(1);
  RegisterDuet("options/Setup", NeedsSetup, NeedsSetup)->Setup(SetUp)->Teardown(TearDown)->Arg(1);
  duet("options/Fill")->Fill()->Arg(1);
}

int main(int argc, char** argv) {
  RegisterChains();
  return duetbench::Main(argc, argv);
}
