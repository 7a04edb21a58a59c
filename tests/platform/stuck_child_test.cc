// A child may do anything, and its parent goes on.
#include <pthread.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/subprocess.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/stuck_roles.h"
#include "tests/sanitized.h"

namespace duetbench {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

// Longer than any test waits.
constexpr unsigned kLong = 200;

int Sleep() {
  for (unsigned left = kLong; left > 0;) left = sleep(left);
  return 0;
}

// Starts a process out of the child's group that does `work`, sleeps, and holds the pipes of the
// child, whose result is its number.
void StartElsewhere(int result_fd, const std::function<void()>& work) {
  int ready[2];
  if (pipe(ready) != 0) _exit(95);
  const pid_t pid = fork();
  if (pid == 0) {
    setsid();
    work();
    [[maybe_unused]] const ssize_t written = write(ready[1], "", 1);
    Sleep();
    _exit(0);
  }
  char byte;
  if (read(ready[0], &byte, 1) != 1 || !WriteResult(result_fd, absl::StrCat(pid)).ok()) _exit(96);
}

ChildRequest RequestOf(const std::string& role) {
  ChildRequest request;
  request.argv = {"stuck", absl::StrCat("--child=", role)};
  request.result_fd_variable = "SUBPROCESS_TEST_RESULT_FD";
  request.timeout = milliseconds(500);
  request.patience = seconds(20);
  return request;
}

}  // namespace

std::map<std::string, Role> StuckRoles() {
  std::map<std::string, Role> roles;
  const auto join_parent = [] { setpgid(0, getpgid(getppid())); };
  roles["joins_parent_and_stops"] = [=](int) {
    join_parent();
    return raise(SIGSTOP);
  };
  roles["joins_parent_and_sleeps"] = [=](int) {
    join_parent();
    return Sleep();
  };
  roles["leaves_session"] = [=](int) {
    join_parent();
    setsid();
    return Sleep();
  };
  roles["is_traced_and_stops"] = [](int) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    return raise(SIGSTOP);
  };
  roles["vforks"] = [](int) {
    if (vfork() == 0) {
      Sleep();
      _exit(0);
    }
    return 0;
  };
  roles["leader_exits"] = [](int) {
    std::thread([] { Sleep(); }).detach();
    pthread_exit(nullptr);
    return 0;
  };
  roles["blocks_signals"] = [](int) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    return Sleep();
  };
  roles["forks_twice"] = [](int fd) {
    if (fork() == 0) {
      StartElsewhere(fd, [] {});
      _exit(0);
    }
    return Sleep();
  };
  // A tracer that never looks holds the end of the child.
  roles["is_held"] = [](int fd) {
    const pid_t self = getpid();
    StartElsewhere(fd, [self] {
      if (ptrace(PTRACE_SEIZE, self, nullptr, nullptr) != 0) _exit(0);
      alarm(2);  // which ends it, and lets go of the child
    });
    return Sleep();
  };
  return roles;
}

namespace {

TEST(StuckChild, EndsAtTheTimeoutWhateverItDoes) {
  for (const char* const role :
       {"joins_parent_and_stops", "joins_parent_and_sleeps", "leaves_session",
        "is_traced_and_stops", "vforks", "leader_exits", "blocks_signals", "forks_twice"}) {
    // The sanitizer forks in place of it, and the parent goes on.
    if (kThreadSanitizer && role == std::string("vforks")) continue;
    const absl::StatusOr<ChildOutcome> outcome = RunSelf(RequestOf(role));
    ASSERT_TRUE(outcome.ok()) << role << ": " << outcome.status();
    EXPECT_EQ(outcome->end, ChildOutcome::End::kTimedOut) << role << ": " << DescribeEnd(*outcome);
    EXPECT_LT(outcome->wall_time, seconds(10)) << role;
    int elsewhere = 0;
    if (absl::SimpleAtoi(outcome->result, &elsewhere)) kill(elsewhere, SIGKILL);
  }
}

TEST(StuckChild, EndsWhenInterruptedWhateverItDoes) {
  for (const char* const role : {"joins_parent_and_stops", "is_traced_and_stops"}) {
    static volatile std::sig_atomic_t interrupted;
    interrupted = 0;
    const auto previous = signal(SIGINT, [](int) { interrupted = 1; });
    ChildRequest request = RequestOf(role);
    request.timeout = seconds(kLong);
    request.interrupted = &interrupted;
    std::thread interrupter([] {
      std::this_thread::sleep_for(milliseconds(300));
      kill(getpid(), SIGINT);
    });
    const absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
    interrupter.join();
    signal(SIGINT, previous);
    ASSERT_TRUE(outcome.ok()) << role << ": " << outcome.status();
    EXPECT_EQ(outcome->end, ChildOutcome::End::kInterrupted) << role;
  }
}

TEST(StuckChild, ThatCannotBeReapedIsAnError) {
  ChildRequest request = RequestOf("is_held");
  request.patience = milliseconds(300);
  const auto begin = std::chrono::steady_clock::now();
  const absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(20));
  while (waitpid(-1, nullptr, 0) > 0) {
  }
  if (outcome.ok()) GTEST_SKIP() << "tracing is not allowed here: " << DescribeEnd(*outcome);
  EXPECT_EQ(outcome.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(outcome.status().message(), HasSubstr("a debugger or tracer holds it"));
}

TEST(StuckChild, ThatSomethingElseHasReapedIsAnError) {
  const auto reap = [](absl::Span<const pid_t> children) {
    kill(children[0], SIGKILL);
    waitpid(children[0], nullptr, 0);
  };
  const auto outcomes = RunChildren({RequestOf("blocks_signals")}, reap);
  EXPECT_EQ(outcomes.status().code(), absl::StatusCode::kInternal) << outcomes.status();
}

}  // namespace
}  // namespace duetbench
