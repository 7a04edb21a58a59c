// A variant that starts threads. Beside its partner, on one CPU, it would be no faster; so a pilot
// run looks for such threads, and then the variants take turns, each with all CPUs:
//   new starts 1 thread: measured one variant at a time, with all CPUs
#include <duetbench/duetbench.h>

#include <cstdint>
#include <thread>

static uint64_t Work(uint64_t steps) {
  uint64_t x = 88172645463325252u;
  for (uint64_t i = 0; i < steps; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

constexpr uint64_t kSteps = 10'000'000;

static uint64_t OneThread() { return Work(kSteps / 2) + Work(kSteps / 2); }

// Half of the work for each thread, but the new one must first be moved to a free CPU: on a
// virtual machine with 2 CPUs it took 0.75 of the time, not 0.5.
static uint64_t TwoThreads() {
  uint64_t half = 0;
  std::thread other([&half] { half = Work(kSteps / 2); });
  const uint64_t own = Work(kSteps / 2);
  other.join();
  return own + half;
}
DUET_BENCHMARK(OneThread, TwoThreads)->CheckEqual();

DUET_MAIN();
