#include "duetbench/platform/event.h"

#include <linux/perf_event.h>

#include "gtest/gtest.h"
#include "tests/platform/fake_perf.h"

namespace duetbench {
namespace {

EventCode Raw(uint64_t config) {
  EventCode code = HardwareCode(config);
  code.type = PERF_TYPE_RAW;
  return code;
}

TEST(RoleOfEvent, GenericEventsAreKnownByTheirCode) {
  EXPECT_EQ(RoleOf(HardwareCode(PERF_COUNT_HW_CPU_CYCLES), "x"), EventRole::kCycles);
  EXPECT_EQ(RoleOf(HardwareCode(PERF_COUNT_HW_INSTRUCTIONS), "x"), EventRole::kInstructions);
  EXPECT_EQ(RoleOf(HardwareCode(PERF_COUNT_HW_BRANCH_MISSES), "x"), EventRole::kBranchMisses);
  EXPECT_EQ(RoleOf(HardwareCode(PERF_COUNT_HW_CACHE_MISSES), "x"), EventRole::kMisses);
  EXPECT_EQ(RoleOf(HardwareCode(PERF_COUNT_HW_CACHE_REFERENCES), "x"), EventRole::kOther);
  EventCode cache;
  cache.type = PERF_TYPE_HW_CACHE;
  cache.config = PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_RESULT_MISS << 16;
  EXPECT_EQ(RoleOf(cache, "x"), EventRole::kMisses);
  cache.config = PERF_COUNT_HW_CACHE_L1D;
  EXPECT_EQ(RoleOf(cache, "x"), EventRole::kOther);
}

TEST(RoleOfEvent, ThoseOfAPmuByTheirName) {
  EXPECT_EQ(RoleOf(Raw(0xc0), "amd64_fam19h_zen3::RETIRED_INSTRUCTIONS"), EventRole::kInstructions);
  EXPECT_EQ(RoleOf(Raw(0x3c), "cpu_clk_unhalted:thread_p"), EventRole::kCycles);
  EXPECT_EQ(RoleOf(Raw(0x3c), "CPU_CLK_UNHALTED:REF_TSC"), EventRole::kOther);
  EXPECT_EQ(RoleOf(Raw(0x01c0), "r01c0"), EventRole::kOther);
}

TEST(RoleOfEvent, OnlyWhatCountsUserModeAlone) {
  EventCode both = HardwareCode(PERF_COUNT_HW_CPU_CYCLES);
  both.exclude_kernel = 0;
  EXPECT_EQ(RoleOf(both, "CYCLES:uk"), EventRole::kOther);
  EventCode kernel = both;
  kernel.exclude_user = 1;
  EXPECT_EQ(RoleOf(kernel, "CYCLES:k"), EventRole::kOther);
}

TEST(SoftwareEvents, AreThoseOfTheKernel) {
  EXPECT_TRUE(IsSoftware(SoftwareCode(PERF_COUNT_SW_PAGE_FAULTS)));
  EXPECT_FALSE(IsSoftware(HardwareCode(PERF_COUNT_HW_CPU_CYCLES)));
}

}  // namespace
}  // namespace duetbench
