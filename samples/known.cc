// Is the tool right? One function on both sides with a known number of steps: new does 2 times,
// 1.1 times, or 1.01 times, the work of old.
//
// The number of steps is a run-time argument of a function that is not inlined, so that both sides
// execute the same machine code: two copies of it would differ by their placement alone.
#include <duetbench/duetbench.h>

#include <cstdint>

// A step is long, so that what an operation costs beside its steps (a nanosecond) does not show.
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

static auto WithSteps(int64_t steps) {
  return [steps](duetbench::State& state) { Steps(state, steps); };
}

int main(int argc, char** argv) {
  duetbench::RegisterDuet("Twice", WithSteps(2'000), WithSteps(4'000));
  duetbench::RegisterDuet("TenPercentMore", WithSteps(200), WithSteps(220));
  duetbench::RegisterDuet("OnePercentMore", WithSteps(200), WithSteps(202));
  duetbench::RegisterDuet("Same", WithSteps(200), WithSteps(200));
  return duetbench::Main(argc, argv);
}
