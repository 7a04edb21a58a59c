#include "tools/duet_lab/busy_processes.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

int64_t CpuTimeOfEndedChildrenUs() {
  rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  return int64_t{usage.ru_utime.tv_sec} * 1'000'000 + usage.ru_utime.tv_usec;
}

TEST(BusyProcesses, AreBusyAndThenGone) {
  const int64_t before = CpuTimeOfEndedChildrenUs();
  {
    const auto busy = BusyProcesses::Start(2);
    ASSERT_TRUE(busy.ok()) << busy.status();
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), 0);  // there are children, and none has ended
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  EXPECT_GT(CpuTimeOfEndedChildrenUs(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(BusyProcesses, NoneIsNone) {
  const auto busy = BusyProcesses::Start(0);
  ASSERT_TRUE(busy.ok());
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

}  // namespace
}  // namespace duetbench::lab
