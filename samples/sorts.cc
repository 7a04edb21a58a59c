// The cost of a stable sort: std::sort against std::stable_sort.
//
// Each iteration sorts a new copy. PauseTiming would cost more than copying a short array:
// therefore both variants include the copy, and the ratio is slightly closer to 1 than that of
// sorting alone.
#include <duetbench/duetbench.h>

#include <algorithm>
#include <random>
#include <vector>

template <class Sort>
static void SortCopies(duetbench::State& state, Sort sort) {
  std::mt19937 random(1);
  std::vector<uint32_t> values(static_cast<size_t>(state.range(0)));
  for (uint32_t& value : values) value = static_cast<uint32_t>(random());
  std::vector<uint32_t> copy(values.size());
  for (auto _ : state) {
    std::copy(values.begin(), values.end(), copy.begin());
    sort(copy.begin(), copy.end());
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
  }
}

static void BM_Sort(duetbench::State& state) {
  SortCopies(state, [](auto first, auto last) { std::sort(first, last); });
}
static void BM_StableSort(duetbench::State& state) {
  SortCopies(state, [](auto first, auto last) { std::stable_sort(first, last); });
}
DUET_BENCHMARK(BM_Sort, BM_StableSort)->RangeMultiplier(16)->Range(16, 64 << 10);

DUET_MAIN();
