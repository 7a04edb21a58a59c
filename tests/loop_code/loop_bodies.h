#ifndef DUETBENCH_TESTS_LOOP_CODE_LOOP_BODIES_H_
#define DUETBENCH_TESTS_LOOP_CODE_LOOP_BODIES_H_

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

// Small benchmarks of many kinds, each a template for the State of duetbench and of Google
// Benchmark. The compiler sees each as if it had been written out: it decides alike for both, or
// the loop around the body has changed the body.
namespace duetbench::loop_bodies {

// Calls what(NAME) for each benchmark.
#define DUETBENCH_FOR_EACH_LOOP_BODY(what)                                                  \
  what(Empty) what(MapFind) what(SetLowerBound) what(HashFind) what(LowerBound) what(SumIf) \
      what(MaxOf) what(Collatz) what(ParseInteger) what(CompareStrings) what(Clamp)

#define DUETBENCH_LOOP_BODY(name) \
  template <class State>          \
  __attribute__((always_inline)) inline void name(State& state)

// The data of the benchmarks: `count` numbers in an order that is hard to predict.
inline std::vector<int> MixedNumbers(size_t count, size_t modulus) {
  std::vector<int> numbers(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = static_cast<int>(i * 7919 % modulus);
  return numbers;
}

inline std::vector<uint32_t> RandomKeys(int64_t count) {
  std::mt19937 random(1);
  std::vector<uint32_t> keys(static_cast<size_t>(count));
  for (uint32_t& key : keys) key = static_cast<uint32_t>(random());
  return keys;
}

DUETBENCH_LOOP_BODY(Empty) {
  for (auto _ : state) benchmark::ClobberMemory();
}

DUETBENCH_LOOP_BODY(MapFind) {
  std::map<uint32_t, int> map;
  std::vector<uint32_t> keys = RandomKeys(100);
  for (const uint32_t key : keys) map[key] = 1;
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(map.find(keys[next]));
    if (++next == keys.size()) next = 0;
  }
}

DUETBENCH_LOOP_BODY(SetLowerBound) {
  std::set<int> set;
  for (int i = 0; i < 100; ++i) set.insert(i * 7 % 101);
  int key = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(set.lower_bound(key));
    key = (key * 5 + 3) % 101;
  }
}

DUETBENCH_LOOP_BODY(HashFind) {
  std::unordered_map<uint32_t, int> map;
  for (uint32_t i = 0; i < 100; ++i) map[i] = 1;
  uint32_t key = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(map.find(key));
    key = (key + 17) & 127;
  }
}

DUETBENCH_LOOP_BODY(LowerBound) {
  std::vector<int> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 0);
  int key = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::lower_bound(numbers.begin(), numbers.end(), key));
    key = (key * 5 + 3) & 1023;
  }
}

DUETBENCH_LOOP_BODY(SumIf) {
  const std::vector<int> numbers = MixedNumbers(1000, 2003);
  for (auto _ : state) {
    int sum = 0;
    for (const int number : numbers) {
      if (number > 1000) sum += number;
    }
    benchmark::DoNotOptimize(sum);
  }
}

DUETBENCH_LOOP_BODY(MaxOf) {
  const std::vector<int> numbers = MixedNumbers(1000, 2003);
  for (auto _ : state) {
    int largest = *std::max_element(numbers.begin(), numbers.end());
    benchmark::DoNotOptimize(largest);
  }
}

DUETBENCH_LOOP_BODY(Collatz) {
  uint64_t start = 27;
  for (auto _ : state) {
    benchmark::DoNotOptimize(start);
    uint64_t number = start;
    uint64_t steps = 0;
    while (number != 1) {
      number = number % 2 == 1 ? 3 * number + 1 : number / 2;
      ++steps;
    }
    benchmark::DoNotOptimize(steps);
  }
}

DUETBENCH_LOOP_BODY(ParseInteger) {
  const char* text = "1234567";
  for (auto _ : state) {
    benchmark::DoNotOptimize(text);
    uint32_t number = 0;
    for (const char* digit = text; *digit >= '0' && *digit <= '9'; ++digit) {
      number = number * 10 + static_cast<uint32_t>(*digit - '0');
    }
    benchmark::DoNotOptimize(number);
  }
}

DUETBENCH_LOOP_BODY(CompareStrings) {
  std::string left(100, 'a');
  std::string right(100, 'a');
  for (auto _ : state) {
    benchmark::DoNotOptimize(left < right);
    benchmark::DoNotOptimize(left.find('b'));
  }
}

DUETBENCH_LOOP_BODY(Clamp) {
  float x = 1;
  for (auto _ : state) {
    x = std::clamp(x * 1.1F, 0.0F, 10.0F);
    benchmark::DoNotOptimize(x);
  }
}

}  // namespace duetbench::loop_bodies

#endif  // DUETBENCH_TESTS_LOOP_CODE_LOOP_BODIES_H_
