// A/A: both variants are the same function, for ten kinds of work. Every verdict should be EQUAL
// or, on a machine that is too noisy for one second, INCONCLUSIVE. One in a hundred intervals at 99
// % may exclude 1.
//
// Two copies of the function would differ, because the linker places them at different addresses
// (twins.cc).
#include <duetbench/duetbench.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

static void XorShift(duetbench::State& state) {
  uint64_t x = 88172645463325252u;
  for (auto _ : state) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    benchmark::DoNotOptimize(x);
  }
}
DUET_BENCHMARK(XorShift, XorShift);

static void SqrtChain(duetbench::State& state) {
  double x = 2;
  for (auto _ : state) benchmark::DoNotOptimize(x = std::sqrt(x + 1));
}
DUET_BENCHMARK(SqrtChain, SqrtChain);

static void SortInts(duetbench::State& state) {
  std::mt19937 random(1);
  std::vector<uint32_t> values(256);
  for (uint32_t& value : values) value = static_cast<uint32_t>(random());
  std::vector<uint32_t> copy(values.size());
  for (auto _ : state) {
    std::copy(values.begin(), values.end(), copy.begin());
    std::sort(copy.begin(), copy.end());
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
  }
}
DUET_BENCHMARK(SortInts, SortInts);

static void MemCpy16K(duetbench::State& state) {
  std::vector<char> from(16 << 10, 'a');
  std::vector<char> to(from.size());
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
}
DUET_BENCHMARK(MemCpy16K, MemCpy16K);

static void HashLookUp(duetbench::State& state) {
  std::mt19937 random(1);
  std::vector<uint32_t> keys(4096);
  for (uint32_t& key : keys) key = static_cast<uint32_t>(random());
  std::unordered_map<uint32_t, int> map;
  for (const uint32_t key : keys) map[key] = 1;
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(map.find(keys[next]));
    next = (next + 1) % keys.size();
  }
}
DUET_BENCHMARK(HashLookUp, HashLookUp);

static void BuildString(duetbench::State& state) {
  for (auto _ : state) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "some words ";
    benchmark::DoNotOptimize(text.data());
  }
}
DUET_BENCHMARK(BuildString, BuildString);

static void Interpret(duetbench::State& state) {
  enum Code : uint8_t { kAdd, kXor, kShift, kIfOdd };
  std::mt19937 random(1);
  std::vector<uint8_t> program(1000);
  for (uint8_t& code : program) code = static_cast<uint8_t>(random() % 4);
  for (auto _ : state) {
    uint32_t x = 1;
    for (const uint8_t code : program) {
      switch (code) {
        case kAdd:
          x += 12345;
          break;
        case kXor:
          x ^= 0x9e3779b9u;
          break;
        case kShift:
          x = x << 7 | x >> 25;
          break;
        case kIfOdd:
          if (x % 2 == 1) x *= 3;
          break;
      }
    }
    benchmark::DoNotOptimize(x);
  }
}
DUET_BENCHMARK(Interpret, Interpret);

static void MallocFree(duetbench::State& state) {
  std::mt19937 random(1);
  std::vector<size_t> sizes(256);
  for (size_t& size : sizes) size = 16 + random() % 500;
  std::vector<void*> blocks(64, nullptr);
  size_t next = 0;
  for (auto _ : state) {
    void*& block = blocks[next % blocks.size()];
    std::free(block);
    block = std::malloc(sizes[next % sizes.size()]);
    benchmark::DoNotOptimize(block);
    ++next;
  }
  for (void* block : blocks) std::free(block);
}
DUET_BENCHMARK(MallocFree, MallocFree);

static void LinearWalk4M(duetbench::State& state) {
  std::vector<uint64_t> values((4 << 20) / sizeof(uint64_t), 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::accumulate(values.begin(), values.end(), uint64_t{0}));
    benchmark::ClobberMemory();
  }
}
DUET_BENCHMARK(LinearWalk4M, LinearWalk4M);

static void RandomWalk64M(duetbench::State& state) {
  std::vector<uint32_t> next((64 << 20) / sizeof(uint32_t));
  std::iota(next.begin(), next.end(), 0u);
  std::mt19937 random(1);
  for (size_t i = next.size() - 1; i > 0; --i) {  // one cycle through all (Sattolo)
    std::swap(next[i], next[random() % i]);
  }
  uint32_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(at = next[at]);
}
DUET_BENCHMARK(RandomWalk64M, RandomWalk64M);

DUET_MAIN();
