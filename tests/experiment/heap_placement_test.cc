#include "duetbench/experiment/heap_placement.h"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>

#include "duetbench/platform/fallback.h"
#include "gtest/gtest.h"
#include "tests/sanitized.h"

namespace duetbench {
namespace {

// From one of two blocks that are allocated in a row to the other, within a page.
size_t Distance(size_t bytes) {
  const std::unique_ptr<char[]> a(new char[bytes]);
  const std::unique_ptr<char[]> b(new char[bytes]);
  benchmark::DoNotOptimize(a.get());
  benchmark::DoNotOptimize(b.get());
  return (reinterpret_cast<uintptr_t>(b.get()) - reinterpret_cast<uintptr_t>(a.get())) % 4096;
}

TEST(HeapPlacement, VariesTheDistanceOfBlocksThatAreAllocatedInARow) {
  if (DUETBENCH_FALLBACK) GTEST_SKIP() << "fallbacks place nothing";
  if (kSanitized) GTEST_SKIP() << "sanitizers have their own allocators";
  for (const size_t bytes : {size_t{1200}, size_t{4096}, size_t{20000}}) {
    std::set<size_t> distances;
    for (uint64_t seed = 0; seed < 60; ++seed) {
      const HeapPlacement placement(seed);
      distances.insert(Distance(bytes));
    }
    EXPECT_GE(distances.size(), 10u) << bytes;
  }
}

TEST(HeapPlacement, TheSameSeedGivesTheSame) {
  if (kSanitized) GTEST_SKIP() << "sanitizers have their own allocators";
  // The first one changes the heap itself.
  size_t distances[3];
  for (size_t& distance : distances) {
    const HeapPlacement placement(7);
    distance = Distance(4096);
  }
  EXPECT_EQ(distances[1], distances[2]);
}

}  // namespace
}  // namespace duetbench
