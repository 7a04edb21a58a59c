// Rare slow paths. A typical call of new takes as long as one of old, but some calls take many
// times as long: an index that is rebuilt, a buffer that is flushed, a lock that is contended.
// Whoever calls new pays for them, so the ratio of total times decides here, and the report says
// why:
//   typical 1.00 x, total 2.0 x: one call in about 10,000 of new takes 10,000 times as long
#include <duetbench/duetbench.h>

#include <cstdint>

// One unit takes some 60 ns.
static uint64_t Work(uint64_t units, uint64_t x) {
  for (uint64_t i = 0; i < 30 * units; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

// Each call works for `units`; one in `one_in` takes `factor` times as long.
static void Calls(duetbench::State& state, uint64_t units, uint64_t one_in, uint64_t factor) {
  uint64_t random = state.seed() | 1u;
  uint64_t x = 88172645463325252u;
  for (auto _ : state) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const bool slow = (random >> 33) % one_in == 0;
    benchmark::DoNotOptimize(x = Work(slow ? units * factor : units, x));
  }
}

static void Even(duetbench::State& state) { Calls(state, 1, uint64_t{1} << 40, 1); }

// Total ratio 2.00, each.
static void OneInAMillion(duetbench::State& state) { Calls(state, 1, 1'000'000, 1'000'001); }
DUET_BENCHMARK(Even, OneInAMillion);

static void OneInTenThousand(duetbench::State& state) { Calls(state, 1, 10'000, 10'001); }
DUET_BENCHMARK(Even, OneInTenThousand);

static void OneInAThousand(duetbench::State& state) { Calls(state, 1, 1'000, 1'001); }
DUET_BENCHMARK(Even, OneInAThousand);

// Calls of 60 us, one in a sample: 8 % take ten times as long, total ratio 1.72. With
// --duet_quantiles it is to be seen where: p50 1.0, p90 about 1.0, p99 10.
static void EvenLong(duetbench::State& state) { Calls(state, 1000, uint64_t{1} << 40, 1); }
static void TwoInTwentyFive(duetbench::State& state) {
  uint64_t random = state.seed() | 1u;
  uint64_t x = 88172645463325252u;
  for (auto _ : state) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const bool slow = (random >> 33) % 25 < 2;
    benchmark::DoNotOptimize(x = Work(slow ? 10'000 : 1000, x));
  }
}
DUET_BENCHMARK(EvenLong, TwoInTwentyFive);

DUET_MAIN();
