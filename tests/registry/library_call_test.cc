#include "duetbench/registry/library_call.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(KindOfCallTest, TheFirstCallGrowsAndTheNextMeasures) {
  EXPECT_EQ(KindOfCall(1, true), LibraryCall::kGrow);
  EXPECT_EQ(KindOfCall(10 * kGrowIterations, true), LibraryCall::kMeasure);
}

TEST(KindOfCallTest, MemoryIsMeasuredWithSixteenIterationsAtMost) {
  EXPECT_EQ(KindOfCall(16, true), LibraryCall::kMemory);
  EXPECT_EQ(KindOfCall(17, true), LibraryCall::kMeasure);
}

TEST(KindOfCallTest, AGivenNumberIsMeasured) {
  for (const int64_t iterations : {1, 16, 100}) {
    EXPECT_EQ(KindOfCall(iterations, false), LibraryCall::kMeasure);
  }
}

}  // namespace
}  // namespace duetbench
