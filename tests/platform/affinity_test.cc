#include "duetbench/platform/affinity.h"

#include <thread>

#include "duetbench/platform/stand_ins.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(Affinity, PinsToEachAllowedCpu) {
  if (DUETBENCH_STAND_INS) GTEST_SKIP() << "stand-ins pin nothing";
  const auto allowed = AllowedCpus();
  ASSERT_TRUE(allowed.ok()) << allowed.status();
  ASSERT_FALSE(allowed->empty());
  std::thread([&] {
    for (const int cpu : *allowed) {
      const absl::Status pinned = PinThisThread(cpu);
      ASSERT_TRUE(pinned.ok()) << pinned;
      EXPECT_EQ(CurrentCpu(), cpu);
    }
  }).join();
}

TEST(Affinity, NamesTheCpuThatCannotBeUsed) {
  const absl::Status status = PinThisThread(12345);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("CPU 12345"));
}

}  // namespace
}  // namespace duetbench
