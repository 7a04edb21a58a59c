#include "tools/duet_lab/pairs/code_pairs.h"

#include <algorithm>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

TEST(CodePairs, AreThirtyWithTenHeldOut) {
  std::set<std::string> names;
  int held_out = 0;
  for (const CodePair& pair : CodePairs()) {
    EXPECT_TRUE(names.insert(pair.name).second) << pair.name;
    if (pair.set == PairSet::kHoldOut) ++held_out;
  }
  EXPECT_GE(names.size(), 30u);
  EXPECT_EQ(held_out, 10);
}

TEST(CodePairs, ComputeTheSame) {
  constexpr int kSteps = 300;
  for (const CodePair& pair : CodePairs()) {
    const PairSides sides = pair.sides();
    const std::vector<uint64_t> results = sides.old_side.results(kSteps);
    ASSERT_EQ(results.size(), static_cast<std::size_t>(kSteps));
    EXPECT_EQ(results, sides.new_side.results(kSteps)) << pair.name;
    EXPECT_TRUE(std::any_of(results.begin(), results.end(), [](uint64_t r) { return r != 0; }))
        << pair.name << " computes nothing";
  }
}

}  // namespace
}  // namespace duetbench::lab
