#include "tools/duet_report/explain/call_tree.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

// In old half of 100 ns is in Hash; in new the same, and another 100 ns in Trim, which calls
// itself.
CallNode Tree() {
  std::vector<NamedRun> runs(4);
  double more = 0;
  for (NamedRun& run : runs) {
    run.variants[0] = {{{}, {}, 500 + more}, {{}, {"Hash"}, 500}};
    run.variants[1] = {{{}, {}, 250 + more},
                       {{}, {"Hash"}, 250},
                       {{}, {"Trim", "Trim", "Inner"}, 250},
                       {{}, {"Trim"}, 248},
                       {{}, {"Rare"}, 2}};
    ++more;
  }
  return CallTreeOf(runs, {100, 200}, 0.99);
}

TEST(CallTree, HasTheFunctionsThatEachOneCalls) {
  const CallNode tree = Tree();
  EXPECT_NEAR(tree.time.ns[0], 100, 1e-9);
  EXPECT_NEAR(tree.time.ns[1], 200, 1e-9);
  ASSERT_EQ(tree.calls.size(), 2u) << "nodes below 1 % are left out";
  EXPECT_EQ(tree.calls[0].function, "Hash");
  EXPECT_NEAR(tree.calls[0].time.ns[0], 50, 1);
  EXPECT_NEAR(tree.calls[0].time.ns[1], 50, 1);
  const CallNode& trim = tree.calls[1];
  EXPECT_EQ(trim.function, "Trim");
  EXPECT_NEAR(trim.time.ns[0], 0, 1e-9);
  EXPECT_NEAR(trim.time.ns[1], 100, 2);
  ASSERT_EQ(trim.calls.size(), 1u) << "the recursion is one node";
  EXPECT_EQ(trim.calls[0].function, "Inner");
  EXPECT_TRUE(trim.calls[0].calls.empty());
}

TEST(TimeDifference, IsTheMeanOverTheRunsWithATInterval) {
  const TimeDifference time = DifferenceOf({{10, 12}, {11, 14}, {12, 16}}, 0.05);
  EXPECT_DOUBLE_EQ(time.ns[0], 11);
  EXPECT_DOUBLE_EQ(time.ns[1], 14);
  EXPECT_DOUBLE_EQ(time.difference_ns, 3);
  // R: t.test(c(2, 3, 4))
  EXPECT_NEAR(time.lo_ns, 0.5158623, 1e-6);
  EXPECT_NEAR(time.hi_ns, 5.4841377, 1e-6);
  EXPECT_TRUE(time.is_proven());
  EXPECT_FALSE(DifferenceOf({{10, 12}, {11, 14}, {12, 16}}, 0.01).is_proven());
}

}  // namespace

}  // namespace duetbench
