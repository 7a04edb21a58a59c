// A variant that starts threads. Beside its partner, on one CPU, it would be no faster; so a pilot
// run looks for such threads, and then the variants take turns, each with all CPUs:
//   new starts 1 thread: measured one variant at a time, with all CPUs for its threads
#include <duetbench/duetbench.h>

#include <cstdint>
#include <thread>

// Kernels need some milliseconds until they move a new thread to a free CPU.
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

// With two CPUs that nobody else uses it takes some half of the time.
static uint64_t TwoThreads() {
  uint64_t half = 0;
  std::thread other([&half] { half = Work(kSteps / 2); });
  const uint64_t own = Work(kSteps / 2);
  other.join();
  return own + half;
}
DUET_BENCHMARK(OneThread, TwoThreads)->CheckEqual();

DUET_MAIN();
