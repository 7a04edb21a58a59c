#include "duetbench/record/run_result.h"

#include <gtest/gtest.h>

namespace duetbench {
namespace {

TEST(AmountText, HasAUnit) {
  EXPECT_EQ(AmountText(kPeakRss, 512), "512 bytes");
  EXPECT_EQ(AmountText(kPeakHeap, 1.5 * 1024 * 1024), "1.5 MiB");
  EXPECT_EQ(AmountText(kPeakRss, 3e12), "2.728 TiB");
  EXPECT_EQ(AmountText(kUserTime, 0.25), "0.25 s");
  EXPECT_EQ(AmountText(kExitStatus, 3), "3");
}

TEST(IsAmount, KnowsTheNames) {
  for (const char* name : {kPeakHeap, kPeakRss, kUserTime, kSystemTime, kExitStatus}) {
    EXPECT_TRUE(IsAmount(name)) << name;
  }
  EXPECT_FALSE(IsAmount("ALLOCATIONS"));
}

}  // namespace
}  // namespace duetbench
