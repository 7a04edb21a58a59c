#include "duetbench/explain/call_tree.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/explain/counted_stacks.h"
#include "tests/explain/fake_code_names.h"

namespace duetbench {
namespace {

FakeCodeNames NamesOfCalls() {
  return FakeCodeNames({
      {1, {{"Hash(int)", "/src/two.cc", 7}}},
      {2, {{"BM_Old(benchmark::State&)", "/src/two.cc", 40}}},
      {3, {{"BM_New(benchmark::State&)", "/src/two.cc", 50}}},
      {4, {{"Inner()", "/src/two.cc", 1, true}, {"Trim(std::string)", "/src/two.cc", 12}}},
      {5, {{"Trim(std::string)", "/src/two.cc", 13}}},
      {6, {{"Rare()", "/src/two.cc", 80}}},
      {9, {{"duetbench::Variant::Run()", "/src/v.h", 9}}},
  });
}

// In old half of 100 ns is in Hash; in new the same, and another 100 ns in Trim, which calls
// itself.
CallNode Tree() {
  std::vector<RunStacks> runs(4);
  std::vector<const RunStacks*> pointers;
  for (size_t run = 0; run < runs.size(); ++run) {
    runs[run].variants[0] = {StacksOf({{{2}, 500 + run}, {{1, 2}, 500}})};
    runs[run].variants[1] = {
        StacksOf({{{3}, 250 + run}, {{1, 3}, 250}, {{4, 5, 3}, 250}, {{5, 3}, 248}, {{6, 3}, 2}})};
    pointers.push_back(&runs[run]);
  }
  FakeCodeNames names = NamesOfCalls();
  return CallTreeOf(pointers, {100, 200}, 0.99, &names);
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

TEST(CallTree, ADifferenceHasItsInterval) {
  const CallNode tree = Tree();
  EXPECT_FALSE(tree.calls[0].time.is_proven());
  EXPECT_TRUE(tree.calls[1].time.is_proven());
  EXPECT_LT(tree.calls[1].time.lo_ns, tree.calls[1].time.difference_ns);
}

}  // namespace
}  // namespace duetbench
