#include "duetbench/platform/left_processes.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

TEST(ProcessesWithVariable, FindsADaemonAndNothingElse) {
  if (access("/proc/self/environ", R_OK) != 0) GTEST_SKIP() << "there is no /proc";
  const std::string value = absl::StrCat("of ", getpid());
  const auto is_ours = [&](absl::string_view text) { return text == value; };
  EXPECT_TRUE(ProcessesWithVariable("LEFT_PROCESSES_TEST", is_ours).empty());
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    setsid();
    dup2(ends[1], STDIN_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    setenv("LEFT_PROCESSES_TEST", value.c_str(), 1);
    // While a program replaces another one, its variables cannot be read.
    execlp("sh", "sh", "-c", "echo; read line", nullptr);
    _exit(1);
  }
  char byte = 0;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);
  const auto found = ProcessesWithVariable("LEFT_PROCESSES_TEST", is_ours);
  kill(pid, SIGKILL);
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT);
  EXPECT_TRUE(ProcessesWithVariable("LEFT_PROCESSES_TEST", is_ours).empty()) << "it has ended";
  waitpid(pid, nullptr, 0);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pid, pid);
  EXPECT_EQ(found[0].name, "sh");
  EXPECT_TRUE(ProcessesWithVariable("LEFT_PROCESSES", is_ours).empty()) << "a longer name";
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace duetbench
