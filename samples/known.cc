// Is the tool accurate? Both variants are the same function with a known number of steps: new does
// 2, 1.1 or 1.01 times the work of old. The four kinds of work at twice the steps are those of the
// duet paper (Bulej et al., ICPE 2020, section 4.4); `duet_lab precision --ratio=2` measures
// them under load.
//
// The number of steps is a run-time argument of a function that is not inlined, so that both
// variants execute the same machine code. Two copies would differ because of their addresses.
#include <duetbench/duetbench.h>

#include <cstddef>
#include <cstdint>
#include <vector>

// Steps are long: the nanosecond that an iteration costs besides its steps is then negligible.
__attribute__((noinline)) static void Steps(duetbench::State& state, int64_t steps) {
  uint64_t x = 88172645463325252u;
  for (auto _ : state) {
    for (int64_t i = 0; i < steps; ++i) {
      for (int round = 0; round < 8; ++round) {  // xorshift: registers only
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
      }
    }
    benchmark::DoNotOptimize(x);
  }
}

// Additions and multiplications of numbers in registers, each waiting for the one before.
__attribute__((noinline)) static void FloatSteps(duetbench::State& state, int64_t steps) {
  double x = 1;
  for (auto _ : state) {
    for (int64_t i = 0; i < steps; ++i) x = x * 0.9375 + 0.5;
    benchmark::DoNotOptimize(x);
  }
}

constexpr std::size_t kWordsPerLine = 64 / sizeof(uint64_t);

// A linear walk over 4 MiB, a cache line a step.
__attribute__((noinline)) static void CacheSteps(duetbench::State& state, int64_t steps) {
  const std::vector<uint64_t> data((std::size_t{4} << 20) / sizeof(uint64_t), 1);
  std::size_t at = 0;
  uint64_t sum = 0;
  for (auto _ : state) {
    for (int64_t i = 0; i < steps; ++i) {
      sum += data[at];
      at = (at + kWordsPerLine) % data.size();
    }
    benchmark::DoNotOptimize(sum);
  }
}

// A random walk over the 2^20 cache lines of 64 MiB: where it goes depends on what it has read.
__attribute__((noinline)) static void MemorySteps(duetbench::State& state, int64_t steps) {
  const std::vector<uint64_t> data((std::size_t{64} << 20) / sizeof(uint64_t), 1);
  uint64_t x = 1;
  for (auto _ : state) {
    for (int64_t i = 0; i < steps; ++i) {
      x = x * 6364136223846793005u + data[(x >> 44) * kWordsPerLine];
    }
    benchmark::DoNotOptimize(x);
  }
}

using Work = void(duetbench::State&, int64_t steps);

static auto WithSteps(int64_t steps, Work* work = Steps) {
  return [steps, work](duetbench::State& state) { work(state, steps); };
}

int main(int argc, char** argv) {
  duetbench::RegisterDuet("Twice", WithSteps(2'000), WithSteps(4'000));
  duetbench::RegisterDuet("TwiceFloat", WithSteps(10'000, FloatSteps),
                          WithSteps(20'000, FloatSteps));
  duetbench::RegisterDuet("TwiceCache", WithSteps(10'000, CacheSteps),
                          WithSteps(20'000, CacheSteps));
  duetbench::RegisterDuet("TwiceMemory", WithSteps(1'000, MemorySteps),
                          WithSteps(2'000, MemorySteps));
  duetbench::RegisterDuet("TenPercentMore", WithSteps(200), WithSteps(220));
  duetbench::RegisterDuet("OnePercentMore", WithSteps(200), WithSteps(202));
  duetbench::RegisterDuet("Same", WithSteps(200), WithSteps(200));
  return duetbench::Main(argc, argv);
}
