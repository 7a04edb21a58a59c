// A program that links duetbench::main, with an ordinary benchmark and a duet.
#include <duetbench/duetbench.h>

#include <string>

static std::string Append() { return std::string("old") + " and " + "new"; }

static void BM_Reserve(duetbench::State& state) {
  for (auto _ : state) {
    std::string text;
    text.reserve(16);
    text.append("old").append(" and ").append("new");
    benchmark::DoNotOptimize(text);
  }
}

DUET_BENCHMARK(Append, BM_Reserve);

static void BM_Append(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Append());
}
BENCHMARK(BM_Append);
