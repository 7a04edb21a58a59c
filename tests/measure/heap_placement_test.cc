#include "duetbench/measure/heap_placement.h"

#include <benchmark/benchmark.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>

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
    int pipe_ends[2];
    EXPECT_EQ(pipe(pipe_ends), 0);
    const pid_t copy = fork();
    if (copy == 0) {
      const HeapPlacement placement(7);
      const size_t distance = Distance(4096);
      _exit(write(pipe_ends[1], &distance, sizeof distance) == sizeof distance ? 0 : 1);
    }
    close(pipe_ends[1]);
    size_t distance = 0;
    EXPECT_EQ(read(pipe_ends[0], &distance, sizeof distance), ssize_t{sizeof distance});
    close(pipe_ends[0]);
    EXPECT_EQ(waitpid(copy, nullptr, 0), copy);
    return distance;
  };
  EXPECT_EQ(distance_in_a_copy(), distance_in_a_copy());
}

}  // namespace
}  // namespace duetbench
