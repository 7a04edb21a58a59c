#include "duetbench/platform/random.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/uniform.h"

namespace duetbench::stats {
namespace {

using ::testing::UnorderedElementsAreArray;

// The sequence is part of the contract: an interval must not depend on machine or compiler.
TEST(Random, IsFixedByTheSeed) {
  Random random(1);
  Random same(1);
  Random other(2);
  Random stream(1, 1);
  const std::uint64_t first = random.Next();
  EXPECT_EQ(first, same.Next());
  EXPECT_NE(first, other.Next());
  EXPECT_NE(first, stream.Next());
  EXPECT_EQ(first, 0x4181b152fb77616fu);
  EXPECT_EQ(Random(42).Below(1000), 614u);
}

TEST(Random, BelowIsUniform) {
  for (std::size_t bound : {2u, 3u, 10u, 30u}) {
    Random random(bound);
    std::vector<int> counts(bound);
    for (int i = 0; i < 30000; ++i) ++counts[random.Below(bound)];
    ExpectUniform(counts);
  }
}

TEST(Random, ShuffleReachesEveryOrderEquallyOften) {
  Random random(12);
  std::vector<int> counts(6);
  for (int i = 0; i < 12000; ++i) {
    std::vector<int> values = {0, 1, 2};
    random.Shuffle(values);
    ASSERT_THAT(values, UnorderedElementsAreArray({0, 1, 2}));
    const int order = values[0] * 2 + (values[1] > values[2] ? 1 : 0);
    ++counts[static_cast<std::size_t>(order)];
  }
  ExpectUniform(counts);
}

}  // namespace
}  // namespace duetbench::stats

namespace duetbench {
namespace {

// Noll, "FNV hash", test vectors of the 64-bit FNV-1a.
TEST(HashOfText, IsFnv1a) {
  EXPECT_EQ(HashOfText(""), 0xcbf29ce484222325u);
  EXPECT_EQ(HashOfText("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(HashOfText("foobar"), 0x85944171f73967e8u);
}

}  // namespace
}  // namespace duetbench
