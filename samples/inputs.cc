// Inputs that are worked through in order, again and again: a corpus that is parsed, a trace that
// is replayed. New takes longer for a part of each pass only, and 1.3 times as long over a whole
// one; so does a long run of Google Benchmark, plain/SHAPE/MS over plain/Same/MS. The names end
// with the time of a pass in ms.
//   duet_lab aa --binary=build/release/samples/inputs --truth=called=1.3 --truth=loop=1.3
//       --truth=function=1.3 -- --benchmark_filter=-plain
// counts the intervals that exclude that. No rule was made with the last three shapes in view.
#include <duetbench/duetbench.h>

#include <cstdint>
#include <string>

constexpr uint64_t kSteps = 30;  // of a call; some 50 ns
constexpr uint64_t kCallsPerMs = 20'000;

// Not inlined: all variants execute the same machine code.
__attribute__((noinline)) static uint64_t Work(uint64_t steps, uint64_t x) {
  for (uint64_t i = 0; i < steps; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

static uint64_t Hash(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15;
  return x ^ (x >> 29);
}

// Tenths of the steps of an old call that the call i of a pass has.
struct Same {
  static uint64_t Tenths(uint64_t, uint64_t) { return 10; }
};
struct First10 {
  static uint64_t Tenths(uint64_t i, uint64_t pass) { return 10 * i < pass ? 40 : 10; }
};
struct Last60 {
  static uint64_t Tenths(uint64_t i, uint64_t pass) { return 5 * i < 2 * pass ? 10 : 15; }
};
struct OneIn100 {
  static uint64_t Tenths(uint64_t i, uint64_t) { return i % 100 == Hash(i / 100) % 100 ? 310 : 10; }
};
struct OneIn50000 {  // of a shorter pass, one
  static uint64_t Tenths(uint64_t i, uint64_t pass) {
    return i % 50'000 == 17'000 ? 10 + 3 * (pass < 50'000 ? pass : 50'000) : 10;
  }
};
struct ThreeParts {
  static uint64_t Tenths(uint64_t i, uint64_t pass) { return 10 * i / pass % 3 == 1 ? 20 : 10; }
};
struct Middle20 {
  static uint64_t Tenths(uint64_t i, uint64_t pass) { return 5 * i / pass == 2 ? 25 : 10; }
};
struct Growing {
  static uint64_t Tenths(uint64_t i, uint64_t pass) { return 10 + (6 * i + pass / 2) / pass; }
};
struct Stretches {
  static uint64_t Tenths(uint64_t i, uint64_t) { return i / 1000 % 10 == 7 ? 40 : 10; }
};

template <class Shape, uint64_t kMs>
struct Input {
  uint64_t i = 0;
  uint64_t x = 88172645463325252u;
  uint64_t Next() {
    constexpr uint64_t kPass = kMs * kCallsPerMs;
    x = Work(kSteps * Shape::Tenths(i, kPass) / 10, x);
    if (++i == kPass) i = 0;
    return x;
  }
};

template <class Shape, uint64_t kMs, class State>
static void Loop(State& state) {
  Input<Shape, kMs> input;
  for (auto _ : state) benchmark::DoNotOptimize(input.Next());
}
template <class Shape, uint64_t kMs>
static uint64_t Function() {
  static Input<Shape, kMs> input;
  return input.Next();
}

template <class Shape, uint64_t kMs>
static void Register(const std::string& shape) {
  const std::string name = "/" + shape + "/" + std::to_string(kMs);
  benchmark::RegisterBenchmark(("plain" + name).c_str(), Loop<Shape, kMs, benchmark::State>);
  duetbench::RegisterDuet("called" + name, Loop<Same, kMs, benchmark::State>,
                          Loop<Shape, kMs, benchmark::State>);
  duetbench::RegisterDuet("loop" + name, Loop<Same, kMs, duetbench::State>,
                          Loop<Shape, kMs, duetbench::State>);
  duetbench::RegisterDuet("function" + name, Function<Same, kMs>, Function<Shape, kMs>);
}
template <class Shape>
static bool RegisterPasses(const std::string& shape) {
  Register<Shape, 1>(shape);
  Register<Shape, 5>(shape);
  Register<Shape, 20>(shape);
  Register<Shape, 50>(shape);
  Register<Shape, 200>(shape);
  return true;
}

static const bool registered =
    RegisterPasses<Same>("Same") && RegisterPasses<First10>("First10") &&
    RegisterPasses<Last60>("Last60") && RegisterPasses<OneIn100>("OneIn100") &&
    RegisterPasses<OneIn50000>("OneIn50000") && RegisterPasses<ThreeParts>("ThreeParts") &&
    RegisterPasses<Middle20>("Middle20") && RegisterPasses<Growing>("Growing") &&
    RegisterPasses<Stretches>("Stretches");

DUET_MAIN();
