#include "duetbench/experiment/heap_placement.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/fallback.h"
#include "duetbench/process/forked_children.h"
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

TEST(HeapPlacement, TheSameSeedGivesTheSameInTheSameHeap) {
  if (kSanitized) GTEST_SKIP() << "sanitizers have their own allocators";
  // A copy of this process has its heap.
  const auto distance_in_a_copy = [] {
    ForkedChildren children;
    const absl::Status started = children.Start([](const ForkedChildren::Pipe& pipe) {
      const HeapPlacement placement(7);
      pipe.Write(absl::StrCat(Distance(4096)));
    });
    EXPECT_TRUE(started.ok()) << started;
    const ForkedChildren::Child& copy = *children.children().front();
    while (!copy.has_ended) children.Await(std::chrono::seconds(1));
    EXPECT_FALSE(copy.failed());
    EXPECT_NE(copy.written, "");
    return copy.written;
  };
  EXPECT_EQ(distance_in_a_copy(), distance_in_a_copy());
}

}  // namespace
}  // namespace duetbench
