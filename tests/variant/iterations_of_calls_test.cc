#include "duetbench/variant/sample_loop.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(IterationsOfCalls, OfBothVariantsAreThoseThatBothHaveTimeFor) {
  const IterationsOfCalls fast = {10, 1'000'000, 2'000'000};
  const IterationsOfCalls slow = {3, 3, 2'000};
  IterationsOfCalls both;
  both.Add(fast);
  EXPECT_EQ(both.Chosen(), 1'000'000u);
  both.Add(slow);
  EXPECT_EQ(both.Chosen(), 2'000u) << "a call of the slow one would take 50 s";
  both.Add({5'000, 5'000, 2'000'000});
  EXPECT_EQ(both.Chosen(), 5'000u) << "what a call needs beside its loop";
}

}  // namespace
}  // namespace duetbench
