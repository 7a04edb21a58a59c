// Is the tool accurate? Both variants are the same function with a known number of steps: new does
// 2, 1.1 or 1.01 times the work of old.
//
// The number of steps is a run-time argument of a function that is not inlined, so that both
// variants execute the same machine code. Two copies would differ because of their addresses.
#include <duetbench/duetbench.h>

#include <cstdint>

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
