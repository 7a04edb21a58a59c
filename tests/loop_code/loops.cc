// Functions with a loop of each kind, State of duetbench and of Google Benchmark. loop_code_test.sh
// compiles them and compares the machine code. They are never executed.
#include <duetbench/duetbench.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// The functions NAME_duetbench and NAME_google, whose bodies the compiler sees as if each had been
// written out.
#define LOOPS(name)                                               \
  template <class State>                                          \
  __attribute__((always_inline)) inline void name(State&);        \
  void name##_duetbench(duetbench::State& state) { name(state); } \
  void name##_google(benchmark::State& state) { name(state); }    \
  template <class State>                                          \
  void name(State& state)

static std::vector<uint32_t> RandomKeys(int64_t count) {
  std::mt19937 random(1);
  std::vector<uint32_t> keys(static_cast<size_t>(count));
  for (uint32_t& key : keys) key = static_cast<uint32_t>(random());
  return keys;
}

LOOPS(Empty) {
  for (auto _ : state) benchmark::ClobberMemory();
}

LOOPS(MapFind) {
  std::map<uint32_t, int> m;
  std::vector<uint32_t> keys(100);
  for (uint32_t k : keys) m[k] = 1;
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(m.find(keys[next]));
    if (++next == keys.size()) next = 0;
  }
}

// That of samples/maps.cc.
LOOPS(MapFindOfRange) {
  const std::vector<uint32_t> keys = RandomKeys(state.range(0));
  std::map<uint32_t, int> map;
  for (const uint32_t key : keys) map[key] = 1;
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(map.find(keys[next]));
    if (++next == keys.size()) next = 0;
  }
  state.SetItemsProcessed(state.iterations());
}

LOOPS(SetLower) {
  std::set<int> m;
  for (int i = 0; i < 100; ++i) m.insert(i * 7 % 101);
  int k = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(m.lower_bound(k));
    k = (k * 5 + 3) % 101;
  }
}

LOOPS(HashFind) {
  std::unordered_map<uint32_t, int> m;
  for (uint32_t i = 0; i < 100; ++i) m[i] = 1;
  uint32_t k = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(m.find(k));
    k = (k + 17) & 127;
  }
}

LOOPS(LowerBound) {
  std::vector<int> v(1000);
  std::iota(v.begin(), v.end(), 0);
  int k = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::lower_bound(v.begin(), v.end(), k));
    k = (k * 5 + 3) & 1023;
  }
}

LOOPS(SumIf) {
  std::vector<int> v(1000);
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int>(i * 7919 % 2003);
  for (auto _ : state) {
    int sum = 0;
    for (int x : v)
      if (x > 1000) sum += x;
    benchmark::DoNotOptimize(sum);
  }
}

LOOPS(MaxOf) {
  std::vector<int> v(1000);
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int>(i * 7919 % 2003);
  for (auto _ : state) benchmark::DoNotOptimize(*std::max_element(v.begin(), v.end()));
}

LOOPS(Collatz) {
  uint64_t n = 27;
  for (auto _ : state) {
    uint64_t x = n, steps = 0;
    while (x != 1) {
      x = x % 2 ? 3 * x + 1 : x / 2;
      ++steps;
    }
    benchmark::DoNotOptimize(steps);
    benchmark::DoNotOptimize(n);
  }
}

LOOPS(ParseInt) {
  const char* text = "1234567";
  benchmark::DoNotOptimize(text);
  for (auto _ : state) {
    uint32_t n = 0;
    for (const char* c = text; *c >= '0' && *c <= '9'; ++c) n = n * 10 + (*c - '0');
    benchmark::DoNotOptimize(n);
  }
}

LOOPS(Bubble) {
  std::vector<int> v(32);
  for (auto _ : state) {
    for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int>(i * 7919 % 32);
    for (size_t i = 0; i < v.size(); ++i)
      for (size_t j = i + 1; j < v.size(); ++j)
        if (v[j] < v[i]) std::swap(v[i], v[j]);
    benchmark::ClobberMemory();
  }
}

LOOPS(SortInts) {
  std::vector<int> v(64);
  for (auto _ : state) {
    for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int>(i * 7919 % 64);
    std::sort(v.begin(), v.end());
    benchmark::ClobberMemory();
  }
}

LOOPS(StringCompare) {
  std::string a(100, 'a'), b(100, 'a');
  for (auto _ : state) {
    benchmark::DoNotOptimize(a < b);
    benchmark::DoNotOptimize(a.find('b'));
  }
}

LOOPS(ListWalk) {
  struct Node {
    Node* next;
    int v;
  };
  std::vector<Node> n(100);
  for (int i = 0; i < 100; ++i) n[i] = {&n[(i * 37 + 1) % 100], i};
  Node* at = &n[0];
  for (auto _ : state) {
    for (int i = 0; i < 10; ++i) at = at->v > 50 ? at->next : at->next->next;
    benchmark::DoNotOptimize(at);
  }
}

LOOPS(Interp) {
  std::vector<uint8_t> code(256);
  for (size_t i = 0; i < 256; ++i) code[i] = i * 31 % 5;
  uint32_t x = 1;
  for (auto _ : state) {
    for (uint8_t op : code) switch (op) {
        case 0:
          ++x;
          break;
        case 1:
          x ^= 77;
          break;
        case 2:
          x = x << 7 | x >> 25;
          break;
        case 3:
          if (x % 2) x *= 3;
          break;
        default:
          x -= 3;
      }
    benchmark::DoNotOptimize(x);
  }
}

LOOPS(Clamp) {
  float x = 1;
  for (auto _ : state) {
    x = std::clamp(x * 1.1f, 0.0f, 10.0f);
    benchmark::DoNotOptimize(x);
  }
}
