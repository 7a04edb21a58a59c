// Which map finds a key faster, and from which size on?
//
// Two functions with loops, over a range of arguments. Code before the loop is set-up
// and not timed. Both variants draw the same keys.
#include <duetbench/duetbench.h>

#include <cstdint>
#include <map>
#include <random>
#include <unordered_map>
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

template <class Map>
static void Find(duetbench::State& state) {
  const std::vector<uint32_t> keys = Keys(state.range(0));
  Map map;
  for (const uint32_t key : keys) map[key] = 1;
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(map.find(keys[next]));
    if (++next == keys.size()) next = 0;
  }
  state.SetItemsProcessed(state.iterations());
}

static void BM_StdMap(duetbench::State& state) { Find<std::map<uint32_t, int>>(state); }
static void BM_BTreeMap(duetbench::State& state) { Find<absl::btree_map<uint32_t, int>>(state); }
DUET_BENCHMARK(BM_StdMap, BM_BTreeMap)->Range(64, 64 << 10);

static void BM_UnorderedMap(duetbench::State& state) {
  Find<std::unordered_map<uint32_t, int>>(state);
}
static void BM_FlatHashMap(duetbench::State& state) {
  Find<absl::flat_hash_map<uint32_t, int>>(state);
}
DUET_BENCHMARK(BM_UnorderedMap, BM_FlatHashMap)->Range(64, 64 << 10);

DUET_MAIN();
