#include <linux/perf_event.h>

#include "duetbench/platform/counter_set.h"
#include "gtest/gtest.h"
#include "tests/platform/fake_perf.h"

namespace duetbench {
namespace {

TEST(SoftwareEvents, AreThoseOfTheKernel) {
  EXPECT_TRUE(IsSoftware(SoftwareCode(PERF_COUNT_SW_PAGE_FAULTS)));
  EXPECT_FALSE(IsSoftware(HardwareCode(PERF_COUNT_HW_CPU_CYCLES)));
}

}  // namespace
}  // namespace duetbench
