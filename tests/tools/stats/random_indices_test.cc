#include "tools/stats/random_indices.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "tests/stats/uniform.h"

namespace duetbench::stats {
namespace {

// Bounds that give 8, 7, 6, 5, 4, 3, 2 and 1 indices a word.
TEST(VisitIndices, AreUniform) {
  for (std::size_t bound : {30u, 200u, 500u, 1000u, 10000u, 100000u, 200000u}) {
    Random random(bound);
    std::vector<int> counts(20);
    const std::size_t draws = 100003;
    std::size_t visited = 0;
    VisitIndices(random, bound, draws, [&](std::size_t i) {
      ASSERT_LT(i, bound);
      ++counts[i * counts.size() / bound];
      ++visited;
    });
    EXPECT_EQ(visited, draws);
    if (bound % counts.size() == 0) ExpectUniform(counts);
  }
}

TEST(VisitIndices, NeighborsAreIndependent) {
  for (std::size_t bound : {6u, 1000u}) {
    Random random(11);
    std::vector<int> counts(36);
    std::size_t previous = bound;
    VisitIndices(random, bound, 200000, [&](std::size_t i) {
      if (previous < bound) ++counts[(previous * 6 / bound) * 6 + i * 6 / bound];
      previous = i;
    });
    if (bound == 6) ExpectUniform(counts);
    for (int count : counts) EXPECT_NEAR(count, 200000.0 / 36, 450);  // 6 standard deviations
  }
}

TEST(VisitIndices, EdgesOfTheBound) {
  Random random(4);
  VisitIndices(random, 1, 10, [](std::size_t i) { EXPECT_EQ(i, 0u); });
  bool upper_half = false;
  const std::uint64_t largest = 0xffffffff;
  VisitIndices(random, largest, 100, [&](std::size_t i) {
    EXPECT_LT(i, largest);
    upper_half |= i > largest / 2;
  });
  EXPECT_TRUE(upper_half);
  EXPECT_DEATH(VisitIndices(random, 0, 1, [](std::size_t) {}), "1 to 2\\^32 - 1");
  EXPECT_DEATH(VisitIndices(random, largest + 1, 1, [](std::size_t) {}), "1 to 2\\^32 - 1");
}

}  // namespace
}  // namespace duetbench::stats
