#include "duetbench/platform/group_guard.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

// Neither ended nor waiting to be reaped.
bool Lives(pid_t pid) {
  std::ifstream file(absl::StrCat("/proc/", pid, "/stat"));
  std::string number, name, state;
  return static_cast<bool>(file >> number >> name >> state) && state != "Z";
}

bool EndsSoon(pid_t pid) {
  for (int i = 0; i < 1000 && Lives(pid); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return !Lives(pid);
}

// A process that sleeps, in its own group.
pid_t StartSleeper() {
  const pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    sleep(30);
    _exit(0);
  }
  setpgid(pid, pid);
  return pid;
}

// Calls `body` in a process that is killed afterwards. Returns what `body` does.
template <class Body>
pid_t InKilledProcess(Body body) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t pid = fork();
  if (pid == 0) {
    const pid_t result = body();
    if (write(ends[1], &result, sizeof(result)) != sizeof(result)) _exit(1);
    raise(SIGKILL);
  }
  pid_t result = -1;
  EXPECT_EQ(read(ends[0], &result, sizeof(result)), static_cast<ssize_t>(sizeof(result)));
  waitpid(pid, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return result;
}

TEST(GroupGuard, KillsTheGroupOfAProcessThatIsKilled) {
  const pid_t sleeper = InKilledProcess([] {
    const pid_t pid = StartSleeper();
    const GroupGuard guard(pid);
    return pid;
  });
  ASSERT_GT(sleeper, 1);
  EXPECT_TRUE(EndsSoon(sleeper));
}

TEST(GroupGuard, LeavesAGroupThatHasEnded) {
  pid_t other = -1;
  const pid_t left = InKilledProcess([] {
    const pid_t pid = StartSleeper();
    const pid_t guarded = StartSleeper();
    GroupGuard guard(pid);
    const GroupGuard second(guarded);
    guard.End();
    std::ofstream(absl::StrCat(testing::TempDir(), "/group_guard_test.", getppid())) << guarded;
    return pid;
  });
  const std::string path = absl::StrCat(testing::TempDir(), "/group_guard_test.", getpid());
  std::ifstream(path) >> other;
  std::remove(path.c_str());
  ASSERT_GT(left, 1);
  ASSERT_GT(other, 1);
  EXPECT_TRUE(EndsSoon(other)) << "the guard has worked";
  EXPECT_TRUE(Lives(left));
  kill(left, SIGKILL);
}

}  // namespace
}  // namespace duetbench
