// The benchmarks of two builds of a program: build_old_program.cc and build_new_program.cc define
// kWork as 1 and 10. Times that they report themselves are twice as long in the new one.
#include <duetbench/duetbench.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>

namespace {

constexpr bool kIsNew = kWork > 1;
constexpr double kManualSeconds = kIsNew ? 2e-6 : 1e-6;

// Each step waits for the one before it, also for that of the last call. Shorter steps take twice
// as long where the loop lies across the end of a cache line.
inline void Work(int factor) {
  thread_local uint64_t last = 1;
  uint64_t x = last;
  for (int i = 0; i < 20 * factor; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    benchmark::DoNotOptimize(x);
  }
  last = x;
}

// Unchanged functions of Google Benchmark.
void BM_Plain(benchmark::State& state) {
  for (auto _ : state) Work(kWork);
}
BENCHMARK(BM_Plain)->Name("plain");

void BM_Same(benchmark::State& state) {
  for (auto _ : state) Work(static_cast<int>(state.range(0)));
}
BENCHMARK(BM_Same)->Name("same")->Arg(1)->Arg(3)->ArgName("n");

class Fixture : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State& state) override { factor_ = static_cast<int>(state.range(0)); }
  void TearDown(const benchmark::State&) override { factor_ = 0; }

 protected:
  int factor_ = 0;
};
BENCHMARK_DEFINE_F(Fixture, Method)(benchmark::State& state) {
  for (auto _ : state) Work(factor_ * kWork);
}
BENCHMARK_REGISTER_F(Fixture, Method)->Name("fixture")->Arg(2);

void BM_Manual(benchmark::State& state) {
  for (auto _ : state) {
    Work(1);
    state.SetIterationTime(kManualSeconds);
  }
}
BENCHMARK(BM_Manual)->Name("manual")->UseManualTime();

BENCHMARK(BM_Plain)->Name("threads")->Threads(2);
BENCHMARK(BM_Plain)->Name(kIsNew ? "only_new" : "only_old");

// A duet in each build: the old variants are the same, the new ones are not.
void BM_OldVariant(duetbench::State& state) {
  for (auto _ : state) Work(1);
}
void BM_NewVariant(duetbench::State& state) {
  for (auto _ : state) Work(kWork);
}
DUET_BENCHMARK(BM_OldVariant, BM_NewVariant)->Name("pair");

// One variant in each build, in all forms.
template <class AnyState>
void BM_AnyState(AnyState& state) {
  const int factor = static_cast<int>(state.range(0)) * kWork;
  for (auto _ : state) Work(factor);
  state.SetItemsProcessed(state.iterations());
  state.SetLabel("any");
}
DUET_BENCHMARK(BM_AnyState)->Name("side_any")->Arg(1);
int WithoutState() {
  Work(kWork);
  return kWork;
}
DUET_BENCHMARK(WithoutState)->Name("side_none");
DUET_BENCHMARK(BM_Plain)->Name("side_plain");

void BM_SideInBatches(duetbench::State& state) {
  while (state.KeepRunningBatch(7)) {
    for (int i = 0; i < 7; ++i) Work(kWork);
  }
  state.counters["n"] = static_cast<double>(state.iterations());
}
DUET_BENCHMARK(BM_SideInBatches)->Name("side_batches")->Iterations(10);

void BM_SideManual(duetbench::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    Work(1);
    state.ResumeTiming();
    state.SetIterationTime(kManualSeconds);
  }
}
DUET_BENCHMARK(BM_SideManual)->Name("side_manual")->UseManualTime();

void BM_SideFails(duetbench::State& state) {
  state.SkipWithError("no input");
  for (auto _ : state) Work(1);
}
DUET_BENCHMARK(BM_SideFails)->Name("side_fails");

void BM_SideThreads(duetbench::State& state) {
  for (auto _ : state) Work(1);
}
DUET_BENCHMARK(BM_SideThreads)->Name("side_threads")->Threads(2);

// Faults of the new build only.
void BM_Crashes(benchmark::State& state) {
  for (auto _ : state) {
    if (kIsNew) raise(SIGSEGV);
    Work(1);
  }
}
BENCHMARK(BM_Crashes)->Name("crashes");

void BM_Killed(benchmark::State& state) {
  for (auto _ : state) {
    if (kIsNew) raise(SIGKILL);
    Work(1);
  }
}
BENCHMARK(BM_Killed)->Name("killed");

void BM_Stops(benchmark::State& state) {
  for (auto _ : state) {
    if (kIsNew) raise(SIGSTOP);
    Work(1);
  }
}
BENCHMARK(BM_Stops)->Name("stops");

void BM_Hangs(benchmark::State& state) {
  if (kIsNew) sleep(1000);
  for (auto _ : state) Work(1);
}
BENCHMARK(BM_Hangs)->Name("hangs");

void BM_Exits(benchmark::State& state) {
  for (auto _ : state) {
    if (kIsNew) std::exit(3);
    Work(1);
  }
}
BENCHMARK(BM_Exits)->Name("exits");

// Takes longer than a test waits.
void BM_Long(benchmark::State& state) {
  for (auto _ : state) Work(100000);
}
BENCHMARK(BM_Long)->Name("long")->MinTime(100);

}  // namespace

DUET_MAIN();
