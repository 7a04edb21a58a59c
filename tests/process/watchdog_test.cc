#include "duetbench/process/watchdog.h"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>

#include "gtest/gtest.h"
#include "tests/sanitized.h"

namespace duetbench {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(WatchdogTest, CallsOnceTheLimitIsReached) {
  std::atomic<bool> called{false};
  const Watchdog watchdog(milliseconds(20), [&called] { called = true; });
  while (!called) usleep(1000);
}

TEST(WatchdogTest, DoesNotCallIfItIsDestroyedBefore) {
  bool called = false;
  {
    const Watchdog watchdog(hours(1), [&called] { called = true; });
  }
  EXPECT_FALSE(called);
}

TEST(WatchdogTest, DoesNothingWithoutALimit) {
  bool called = false;
  {
    const Watchdog watchdog(nanoseconds(0), [&called] { called = true; });
  }
  EXPECT_FALSE(called);
}

// Turns of a limit of 100 ns, up to one that is 0; -1: there is none among 1,000.
int TurnsToTheEnd() {
  TickClock::time_point now(nanoseconds(0));
  RunDeadline deadline(nanoseconds(100), now);
  for (int turns = 1; turns <= 1000; ++turns) {
    if (deadline.Turn(now += nanoseconds(10)) == nanoseconds(0)) return turns;
  }
  return -1;
}

TEST(RunDeadlineTest, EndsWhereNobodyTracesTheProcess) {
  if (IsTraced()) GTEST_SKIP() << "this test is traced";
  EXPECT_EQ(TurnsToTheEnd(), 10);
}

TEST(RunDeadlineTest, DoesNotEndWhileADebuggerTracesTheProcess) {
  if (kSanitized) GTEST_SKIP() << "sanitizers trace, too";
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(3);
    _exit(IsTraced() && TurnsToTheEnd() == -1 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 3) GTEST_SKIP() << "ptrace is refused";
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace duetbench
