// Ordinary benchmarks and duets in one program, as a user has them.
#include <duetbench/duetbench.h>

#include "tests/integration/work.h"

// Serves BENCHMARK and DUET_BENCHMARK.
template <class AnyState>
static void BM_Generic(AnyState& state) {
  for (auto _ : state) Steps(50);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Generic<benchmark::State>)->Name("BM_Generic");

static void BM_Apples(benchmark::State& state) {
  for (auto _ : state) Steps(state.range(0));  // NOLINT(clang-analyzer-deadcode.DeadStores)
  state.counters["apples"] = 7;
  state.SetLabel("sweet, and \"red\"");
}
BENCHMARK(BM_Apples)->Arg(20)->Arg(40);

static void BM_Once(duetbench::State& state) {
  Note("old");
  for (auto _ : state) Steps(100);
  state.counters["pears"] = 3;
  state.SetLabel("the old one");
}
static void BM_FiveTimes(duetbench::State& state) {
  Note("new");
  for (auto _ : state) Steps(500);
  state.SetBytesProcessed(64 * state.iterations());
}
DUET_BENCHMARK(BM_Once, BM_FiveTimes);

static void BM_OldSteps(duetbench::State& state) {
  for (auto _ : state) Steps(state.range(0));
}
static void BM_NewSteps(duetbench::State& state) {
  for (auto _ : state) Steps(state.range(0));
}
DUET_BENCHMARK(BM_OldSteps, BM_NewSteps)->Arg(20)->Arg(30)->Arg(200);

// As above, but a name that is the beginning of the other's, and of an ordinary one.
DUET_BENCHMARK(BM_OldSteps, BM_NewSteps)->Name("BM_Old")->Arg(25);
BENCHMARK(BM_Apples)->Name("BM_Older")->Arg(30);

DUET_BENCHMARK(BM_OldSteps, BM_NewSteps)->Name("DISABLED_BM_Off")->Arg(10);

// Every character that is special somewhere.
DUET_BENCHMARK(BM_OldSteps, BM_NewSteps)
    ->Name("f<int, T*>(a|b)[2]{3}.x+y?^$ \"q\" \\d 'é' %d -")
    ->Arg(25);

DUET_MAIN();
