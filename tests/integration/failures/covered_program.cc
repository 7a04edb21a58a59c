// Counts what it executes (--coverage), where the build can.
#include <duetbench/duetbench.h>

#include <cstdint>

static uint64_t Odd() {
  static uint64_t n = 1;
  return n += 2;
}

DUET_BENCHMARK(Odd, Odd);

int main(int argc, char** argv) {
#ifdef COUNTS_WHAT_IT_EXECUTES
  return duetbench::Main(argc, argv);
#else
  return argc > 0 && argv != nullptr ? 99 : 0;
#endif
}
