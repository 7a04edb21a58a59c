// Which of five containers finds a key fastest?
//
// More than two variants are measured together: each is compared with the first one, and a sentence
// says which is the fastest, which ties with it, and how much longer the others take.
#include <duetbench/duetbench.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"

// Random keys, in the order in which they are inserted and looked up.
static std::vector<uint32_t> Keys(int64_t count) {
  std::mt19937 random(1);
  std::vector<uint32_t> keys(static_cast<size_t>(count));
  for (uint32_t& key : keys) key = static_cast<uint32_t>(random());
  return keys;
}

// A sorted vector with the interface of a map, as far as it is needed.
class SortedVector {
 public:
  template <class Keys>
  explicit SortedVector(const Keys& keys) {
    for (const uint32_t key : keys) pairs_.emplace_back(key, 1);
    std::sort(pairs_.begin(), pairs_.end());
  }
  auto find(uint32_t key) const {
    return std::lower_bound(pairs_.begin(), pairs_.end(), std::pair<uint32_t, int>(key, 0));
  }

 private:
  std::vector<std::pair<uint32_t, int>> pairs_;
};

template <class Map>
static Map Filled(const std::vector<uint32_t>& keys) {
  if constexpr (std::is_same_v<Map, SortedVector>) {
    return SortedVector(keys);
  } else {
    Map map;
    for (const uint32_t key : keys) map[key] = 1;
    return map;
  }
}

template <class Map>
static void Find(duetbench::State& state) {
  const std::vector<uint32_t> keys = Keys(state.range(0));
  const Map map = Filled<Map>(keys);
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(map.find(keys[next]));
    if (++next == keys.size()) next = 0;
  }
}

static void StdMap(duetbench::State& state) { Find<std::map<uint32_t, int>>(state); }
static void BTreeMap(duetbench::State& state) { Find<absl::btree_map<uint32_t, int>>(state); }
static void Sorted(duetbench::State& state) { Find<SortedVector>(state); }
static void UnorderedMap(duetbench::State& state) {
  Find<std::unordered_map<uint32_t, int>>(state);
}
static void FlatHashMap(duetbench::State& state) {
  Find<absl::flat_hash_map<uint32_t, int>>(state);
}
DUET_BENCHMARK(StdMap, BTreeMap, Sorted, UnorderedMap, FlatHashMap)->Arg(64)->Arg(4096);

// The same with other names, and a gate.
int main(int argc, char** argv) {
  duetbench::RegisterDuet("Find", {{"map", StdMap}, {"flat", FlatHashMap}, {"sorted", Sorted}})
      ->Arg(1024)
      ->Fastest("flat", 0.02);
  return duetbench::Main(argc, argv);
}
