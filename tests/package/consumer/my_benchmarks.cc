// A program with DUET_MAIN; its version is that of the package.
#include <duetbench/duetbench.h>

static_assert(DUETBENCH_VERSION >= 100);

static double Sum() {
  double sum = 0;
  for (int i = 0; i < 100; ++i) benchmark::DoNotOptimize(sum += i);
  return sum;
}

static double Product() {
  double product = 1;
  for (int i = 0; i < 100; ++i) benchmark::DoNotOptimize(product *= 1.01);
  return product;
}

DUET_BENCHMARK(Sum, Product);

DUET_MAIN();
