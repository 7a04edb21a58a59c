// The benchmarks of two programs that are linked with Google Benchmark alone: untouched_old.cc and
// untouched_new.cc define kWork as 1 and 10.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdio>

#include "tests/integration/work.h"

namespace {

void Work(int factor) {
  uint64_t x = 1;
  for (int i = 0; i < 200 * factor; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    benchmark::DoNotOptimize(x);
  }
}

void BM_Work(benchmark::State& state) {
  for (auto _ : state) Work(kWork * static_cast<int>(state.range(0)));
}
BENCHMARK(BM_Work)->Name("work")->Arg(1)->Arg(2);

void BM_Same(benchmark::State& state) {
  for (auto _ : state) Work(2);
}
BENCHMARK(BM_Same)->Name("same");

// Times that do not depend on the machine.
constexpr double kManualSeconds = kWork == 1 ? 1e-6 : 2e-6;

void BM_Manual(benchmark::State& state) {
  NoteAddress("manual", reinterpret_cast<const void*>(BM_Manual));
  NoteMemory(kWork == 1 ? "old" : "new");
  for (auto _ : state) {
    Work(1);
    state.SetIterationTime(kManualSeconds);
  }
}
BENCHMARK(BM_Manual)->Name("manual")->UseManualTime();

void BM_Repeated(benchmark::State& state) {
  for (auto _ : state) {
    Work(1);
    state.SetIterationTime(kManualSeconds);
  }
}
BENCHMARK(BM_Repeated)
    ->Name("repeated")
    ->UseManualTime()
    ->Iterations(100)
    ->Repetitions(3)
    ->ReportAggregatesOnly();

void BM_Threads(benchmark::State& state) {
  NoteAddress("threads", reinterpret_cast<const void*>(BM_Threads));
  for (auto _ : state) Work(1);
}
BENCHMARK(BM_Threads)->Name("threads")->Threads(2)->UseRealTime();

void BM_Fails(benchmark::State& state) {
  state.SkipWithError("no input");
  for (auto _ : state) {
  }
}
BENCHMARK(BM_Fails)->Name("fails");

void BM_Only(benchmark::State& state) {
  for (auto _ : state) Work(1);
}
BENCHMARK(BM_Only)->Name(kWork == 1 ? "only_old" : "only_new");

}  // namespace

// Prints before its report, as some programs do.
int main(int argc, char** argv) {
  std::puts("version 1 {debug}");
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
