// Inputs that are worked through in order, again and again: a corpus that is parsed, a trace that
// is replayed. New takes longer for a part of each pass only, and 1.3 times as long over a whole
// one; so does a long run of Google Benchmark. The argument is the time of a pass in ms.
//   duet_lab aa --binary=build/release/samples/inputs --truth=called=1.3 --truth=loop=1.3
// counts the intervals that exclude that.
#include <duetbench/duetbench.h>

#include <cstdint>

constexpr uint64_t kSteps = 30;  // of a call; some 50 ns

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

// The calls at a position, and how many times the steps of the others they have.
struct Last60 {
  static uint64_t Factor10(uint64_t i, uint64_t pass) { return 5 * i < 2 * pass ? 10 : 15; }
};
struct First10 {
  static uint64_t Factor10(uint64_t i, uint64_t pass) { return 10 * i < pass ? 40 : 10; }
};
struct OneIn100 {
  static uint64_t Factor10(uint64_t i, uint64_t) {
    return i % 100 == Hash(i / 100) % 100 ? 310 : 10;
  }
};
struct OneIn20000 {
  static uint64_t Factor10(uint64_t i, uint64_t) { return i % 20'000 == 7'000 ? 60'010 : 10; }
};
struct Same {
  static uint64_t Factor10(uint64_t, uint64_t) { return 10; }
};

template <class Shape, class State>
static void Calls(State& state) {
  const uint64_t pass = static_cast<uint64_t>(state.range(0)) * 20'000;
  uint64_t x = 88172645463325252u;
  uint64_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(x = Work(kSteps * Shape::Factor10(i, pass) / 10, x));
    if (++i == pass) i = 0;
  }
}

// Called once for each sample, and once in each run.
template <class Shape>
static void Called(benchmark::State& state) {
  Calls<Shape>(state);
}
template <class Shape>
static void Loop(duetbench::State& state) {
  Calls<Shape>(state);
}

#define INPUTS(SHAPE)                         \
  DUET_BENCHMARK(Called<Same>, Called<SHAPE>) \
      ->Name("called/" #SHAPE)                \
      ->ArgsProduct({{1, 5, 20, 50, 200}});   \
  DUET_BENCHMARK(Loop<Same>, Loop<SHAPE>)->Name("loop/" #SHAPE)->ArgsProduct({{1, 5, 20, 50, 200}})

INPUTS(Last60);
INPUTS(First10);
INPUTS(OneIn100);
INPUTS(OneIn20000);

DUET_MAIN();
