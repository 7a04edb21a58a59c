#include "duetbench/platform/event_names.h"

#include <linux/perf_event.h>

#include "absl/status/status.h"
#include "duetbench/platform/counter_set.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SplitEventNames, TakesEachNameOnce) {
  EXPECT_THAT(SplitEventNames("INSTRUCTIONS,CYCLES, perf::PAGE-FAULTS ,,CYCLES"),
              ElementsAre("INSTRUCTIONS", "CYCLES", "perf::PAGE-FAULTS"));
  EXPECT_THAT(SplitEventNames(""), IsEmpty());
}

class ResolveEventTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!CanResolveEvents()) {
      EXPECT_TRUE(absl::IsUnavailable(ResolveEvent("CYCLES").status()));
      GTEST_SKIP() << "built without libpfm4: " << ResolveEvent("CYCLES").status().message();
    }
  }
};

TEST_F(ResolveEventTest, GenericNames) {
  for (const char* name : {"INSTRUCTIONS", "perf::INSTRUCTIONS", "instructions",
                           "PERF_COUNT_HW_INSTRUCTIONS", "INSTRUCTIONS:u"}) {
    const absl::StatusOr<EventCode> code = ResolveEvent(name);
    ASSERT_TRUE(code.ok()) << name << ": " << code.status();
    EXPECT_EQ(code->type, PERF_TYPE_HARDWARE) << name;
    EXPECT_EQ(code->config, PERF_COUNT_HW_INSTRUCTIONS) << name;
    EXPECT_EQ(code->exclude_user, 0) << name;
    EXPECT_EQ(code->exclude_kernel, 1) << name;
  }
}

TEST_F(ResolveEventTest, Modifiers) {
  const absl::StatusOr<EventCode> kernel = ResolveEvent("CYCLES:k");
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_EQ(kernel->exclude_user, 1);
  EXPECT_EQ(kernel->exclude_kernel, 0);
  const absl::StatusOr<EventCode> both = ResolveEvent("CYCLES:u:k");
  ASSERT_TRUE(both.ok()) << both.status();
  EXPECT_EQ(both->exclude_user, 0);
  EXPECT_EQ(both->exclude_kernel, 0);
  EXPECT_TRUE(absl::IsInvalidArgument(ResolveEvent("CYCLES:nonsense").status()));
}

TEST_F(ResolveEventTest, RawCodes) {
  const absl::StatusOr<EventCode> code = ResolveEvent("r01c0");
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ(code->type, PERF_TYPE_RAW);
  EXPECT_EQ(code->config, 0x1c0u);
}

TEST_F(ResolveEventTest, SoftwareEvents) {
  const absl::StatusOr<EventCode> faults = ResolveEvent("perf::PAGE-FAULTS");
  ASSERT_TRUE(faults.ok()) << faults.status();
  EXPECT_TRUE(IsSoftware(*faults));
  EXPECT_EQ(faults->config, PERF_COUNT_SW_PAGE_FAULTS);
}

TEST_F(ResolveEventTest, WhatHappensInTheKernelIsCountedThere) {
  for (const char* name : {"perf::CONTEXT-SWITCHES", "CPU-MIGRATIONS"}) {
    const absl::StatusOr<EventCode> code = ResolveEvent(name);
    ASSERT_TRUE(code.ok()) << name << ": " << code.status();
    EXPECT_EQ(code->exclude_kernel, 0) << name;
  }
  const absl::Status user = ResolveEvent("perf::CONTEXT-SWITCHES:u").status();
  EXPECT_TRUE(absl::IsInvalidArgument(user)) << user;
  EXPECT_EQ(std::string(user.message()),
            "in user mode alone it is always 0: it happens in the kernel; leave ':u' out");
}

TEST_F(ResolveEventTest, UnknownNames) {
  for (const char* name : {"NO_SUCH_EVENT", "no_such_pmu::CYCLES", ""}) {
    EXPECT_TRUE(absl::IsNotFound(ResolveEvent(name).status())) << name;
  }
}

}  // namespace
}  // namespace duetbench
