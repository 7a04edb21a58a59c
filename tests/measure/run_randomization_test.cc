#include "duetbench/measure/run_randomization.h"

#include <benchmark/benchmark.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "gtest/gtest.h"
#include "tests/sanitized.h"

namespace duetbench {
namespace {

// The three roles as a number below 8.
int Combination(const RunRandomization& roles) {
  return roles.variant_of_thread[0] + 2 * roles.thread_set_up_first + 4 * roles.first_assignment;
}

std::array<int, 8> EightCombinations(uint64_t seed, uint32_t first_run) {
  std::array<int, 8> combinations{};
  for (uint32_t i = 0; i < 8; ++i)
    combinations[i] = Combination(DrawRandomization(seed, first_run + i));
  return combinations;
}

// Five standard deviations of a binomial count: a fair draw fails once in a million seeds.
double Bound(double trials, double probability) {
  return 5 * std::sqrt(trials * probability * (1 - probability));
}

TEST(DrawRandomization, EveryCombinationOnceInEveryEightRuns) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    for (uint32_t run = 0; run < 48; run += 8) {
      const std::array<int, 8> combinations = EightCombinations(seed, run);
      EXPECT_EQ(std::set<int>(combinations.begin(), combinations.end()),
                (std::set<int>{0, 1, 2, 3, 4, 5, 6, 7}))
          << "seed " << seed << ", runs from " << run;
    }
  }
}

TEST(DrawRandomization, TheThreadsHaveDifferentVariants) {
  for (uint32_t run = 0; run < 64; ++run) {
    const RunRandomization roles = DrawRandomization(3, run);
    EXPECT_EQ(roles.variant_of_thread[0] + roles.variant_of_thread[1], 1);
  }
}

TEST(DrawRandomization, TheOrderOfTheCombinationsIsRandom) {
  std::set<std::array<int, 8>> orders;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    orders.insert(EightCombinations(seed, 0));
    orders.insert(EightCombinations(seed, 8));
  }
  EXPECT_GE(orders.size(), 95u);  // of 40,320
}

TEST(DrawRandomization, EveryCombinationIsAsLikelyToComeFirst) {
  constexpr int kSeeds = 4000;
  std::array<int, 8> first{};
  for (uint64_t seed = 0; seed < kSeeds; ++seed)
    ++first.at(Combination(DrawRandomization(seed, 0)));
  for (const int count : first) EXPECT_NEAR(count, kSeeds / 8.0, Bound(kSeeds, 1 / 8.0));
}

TEST(DrawRandomization, TheSameSeedDrawsTheSame) {
  for (uint32_t run = 0; run < 20; ++run) {
    const RunRandomization a = DrawRandomization(17, run);
    const RunRandomization b = DrawRandomization(17, run);
    EXPECT_EQ(Combination(a), Combination(b));
    EXPECT_EQ(a.stack_offset, b.stack_offset);
    EXPECT_EQ(a.heap_seed, b.heap_seed);
  }
}

TEST(DrawRandomization, LayoutsStayInRangeAndFillIt) {
  size_t max_stack = 0;
  size_t min_stack = 4096;
  for (uint32_t run = 0; run < 1000; ++run) {
    const RunRandomization roles = DrawRandomization(5, run);
    EXPECT_EQ(roles.stack_offset % 16, 0u);
    EXPECT_LT(roles.stack_offset, 4096u);
    max_stack = std::max(max_stack, roles.stack_offset);
    min_stack = std::min(min_stack, roles.stack_offset);
  }
  EXPECT_LT(min_stack, 400u);
  EXPECT_GT(max_stack, 3700u);
}

TEST(DrawRandomization, LayoutsDifferFromRunToRunAndFromSeedToSeed) {
  std::set<size_t> stack_offsets;
  std::set<uint64_t> heap_seeds;
  for (uint32_t run = 0; run < 40; ++run) {
    stack_offsets.insert(DrawRandomization(9, run).stack_offset);
    heap_seeds.insert(DrawRandomization(9, run).heap_seed);
  }
  EXPECT_GE(stack_offsets.size(), 30u);  // of 256 values
  EXPECT_EQ(heap_seeds.size(), 40u);
  EXPECT_NE(DrawRandomization(9, 0).heap_seed, DrawRandomization(10, 0).heap_seed);
}

// Each variant is once in each place of as many turns, which follow each other.
TEST(VariantAtPlace, OrdersAreTheRowsOfALatinSquare) {
  for (const int variants : {2, 3, 8}) {
    for (int square = 0; square < 4; ++square) {
      for (int place = 0; place < variants; ++place) {
        std::set<int> at_place;
        std::set<int> in_turn;
        for (int i = 0; i < variants; ++i) {
          const auto turn = static_cast<uint64_t>(square * variants);
          at_place.insert(VariantAtPlace(7, turn + static_cast<uint64_t>(i), variants, place));
          in_turn.insert(VariantAtPlace(7, turn + static_cast<uint64_t>(place), variants, i));
        }
        EXPECT_EQ(at_place.size(), static_cast<size_t>(variants));
        EXPECT_EQ(in_turn.size(), static_cast<size_t>(variants));
      }
    }
  }
}

TEST(VariantAtPlace, OfTwoVariantsTheFirstIsFairWhateverOtherTurnsAndSeedsHave) {
  constexpr int kTrials = 20000;
  int old_first = 0;
  int next = 0;
  int next_seed = 0;
  for (uint64_t turn = 0; turn < 2 * kTrials; turn += 2) {
    const int first = VariantAtPlace(1, turn, 2, 0);
    old_first += first == 0 ? 1 : 0;
    next += first == VariantAtPlace(1, turn + 2, 2, 0) ? 1 : 0;
    next_seed += first == VariantAtPlace(2, turn, 2, 0) ? 1 : 0;
  }
  for (const int count : {old_first, next, next_seed}) {
    EXPECT_NEAR(count, kTrials / 2.0, Bound(kTrials, 0.5));
  }
}

TEST(VariantAtPlace, NeighborsAreDrawnAnewForEachSquare) {
  std::set<int> after_the_base;
  for (uint64_t square = 0; square < 40; ++square) {
    for (int place = 0; place + 1 < 8; ++place) {
      if (VariantAtPlace(7, 8 * square, 8, place) != 0) continue;
      after_the_base.insert(VariantAtPlace(7, 8 * square, 8, place + 1));
    }
  }
  EXPECT_EQ(after_the_base.size(), 7u);
}

TEST(SetUpPosition, OfAGroupEachLoopIsFirstInItsTurn) {
  for (int loop = 0; loop < 5; ++loop) {
    std::set<int> positions;
    for (uint32_t run = 0; run < 5; ++run) {
      positions.insert(SetUpPosition(DrawRandomization(7, run), loop, 5));
    }
    EXPECT_EQ(positions.size(), 5u);
  }
}

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
