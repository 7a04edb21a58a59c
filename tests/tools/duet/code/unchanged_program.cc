// Built twice: with CHANGE, `Changed` does more, and there is a function that nothing calls.
#include <duetbench/duetbench.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#ifdef CHANGE
int Unrelated(int n) {
  std::vector<int> numbers(static_cast<size_t>(n), 3);
  std::puts("nothing calls this");
  return numbers.back();
}
constexpr int kSteps = 40;
#else
constexpr int kSteps = 20;
#endif

__attribute__((noinline)) static unsigned Mix(unsigned x, int steps) {
  for (int i = 0; i < steps; ++i) x = x * 1664525u + 1013904223u;
  return x;
}

static void Kept(duetbench::State& state) {
  unsigned x = 1;
  for (auto _ : state) benchmark::DoNotOptimize(x = Mix(x, static_cast<int>(state.range(0))));
}
DUET_BENCHMARK(Kept)->Arg(20)->Arg(50);

static void Changed(duetbench::State& state) {
  unsigned x = 1;
  for (auto _ : state) benchmark::DoNotOptimize(x = Mix(x, kSteps));
}
DUET_BENCHMARK(Changed);

// The number of steps is in a file beside the program.
static int StepsBeside() {
  char path[4096] = "";
  const ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);
  const std::string program(path, size > 0 ? static_cast<size_t>(size) : 0);
  int steps = 20;
  std::ifstream(program.substr(0, program.rfind('/')) + "/unchanged_steps") >> steps;
  return steps;
}
static void Beside(duetbench::State& state) {
  const int steps = StepsBeside();
  unsigned x = 1;
  for (auto _ : state) benchmark::DoNotOptimize(x = Mix(x, steps));
}
DUET_BENCHMARK(Beside);

static void Ordinary(benchmark::State& state) {
  unsigned x = 1;
  for (auto _ : state) benchmark::DoNotOptimize(x = Mix(x, 30));
}
BENCHMARK(Ordinary);

DUET_MAIN();
