// The first iteration in each process takes longer than all of the measuring time.
#include <benchmark/benchmark.h>

#include <chrono>
#include <thread>

#include "duetbench/duetbench.h"

namespace {

int Table() {
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  return 1;
}

int Lookup(int count) {
  static const int table = Table();
  int sum = table;
  for (int i = 0; i < count; ++i) benchmark::DoNotOptimize(sum += i);
  return sum;
}

int Old() { return Lookup(1000); }
int New() { return Lookup(2000); }
DUET_BENCHMARK(Old, New);

}  // namespace

DUET_MAIN();
