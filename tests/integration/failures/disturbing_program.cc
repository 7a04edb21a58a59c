// Variants that add to one counter, in one process: at the same time they wait for its cache line.
#include <duetbench/duetbench.h>

#include <atomic>
#include <cstdint>

static std::atomic<uint64_t> counter{0};

// One function for both: a copy of the loop in each could take another time.
[[gnu::noinline]] static void Count(int times) {
  for (int i = 0; i < times; ++i) counter.fetch_add(1);
}
static void Count1000() { Count(1000); }
static void Count1050() { Count(1050); }

int main(int argc, char** argv) {
  constexpr auto kThread = duetbench::Isolation::kThread;
  duetbench::RegisterDuet("Counter", &Count1000, &Count1050)->Isolation(kThread);
  duetbench::RegisterDuet("Fixed", &Count1000, &Count1050)->Iterations(100'000)->Isolation(kThread);
  return duetbench::Main(argc, argv);
}
