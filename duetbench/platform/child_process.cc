#include "duetbench/platform/child_process.h"

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/process.h"

namespace duetbench {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Pauses between looks at a child that was killed: as a rule, the first look finds that it has
// ended.
constexpr milliseconds kFirstPause(1);
constexpr milliseconds kLongestPause(50);

// As /proc tells: R, S, D, T, t, Z …; 0: unknown.
char StateOf(pid_t pid) {
  const std::vector<std::string> words = StatWords(absl::StrCat("/proc/", pid));
  return words.empty() || words[0].empty() ? 0 : words[0][0];
}

enum class Look { kRuns, kEnded, kGone };

// `options`: of waitid.
Look LookAt(pid_t pid, int options, siginfo_t* info) {
  for (;;) {
    *info = {};
    if (waitid(P_PID, static_cast<id_t>(pid), info, WEXITED | WNOHANG | options) == 0) {
      // A child that this process traces tells that it has stopped, too, without being asked.
      const bool ended =
          info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED;
      return info->si_pid == pid && ended ? Look::kEnded : Look::kRuns;
    }
    if (errno != EINTR) return Look::kGone;
  }
}

}  // namespace

bool HasEnded(pid_t pid) {
  siginfo_t info;
  // kGone: another wait() of this program has reaped it; Reap() reports that.
  return LookAt(pid, WNOWAIT, &info) != Look::kRuns;
}

bool IsStopped(pid_t pid) {
  const char state = StateOf(pid);
  return state == 'T' || state == 't';
}

void KillWithGroup(pid_t pid) {
  // It keeps its number until it is reaped, whether it is in the group or not: both are its own.
  siginfo_t info;
  if (LookAt(pid, WNOWAIT, &info) != Look::kGone) kill(pid, SIGKILL);
  kill(-pid, SIGKILL);
}

absl::StatusOr<ProcessEnd> Reap(pid_t pid, nanoseconds patience) {
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  nanoseconds pause = kFirstPause;
  nanoseconds waited(0);
  siginfo_t info;
  for (;;) {
    switch (LookAt(pid, 0, &info)) {
      case Look::kEnded:
        return ProcessEnd{info.si_code != CLD_EXITED, info.si_status};
      case Look::kGone:
        return absl::InternalError(
            absl::StrCat("the end of child process ", pid,
                         " is unknown: another part of this program has waited for it"));
      case Look::kRuns:
        break;
    }
    // By either count: a clock may be set, and a sleep may be longer than was asked for.
    if (waited >= patience && std::chrono::steady_clock::now() - begin >= patience) break;
    if (waited >= 2 * patience) break;
    std::this_thread::sleep_for(pause);
    waited += pause;
    pause = std::min<nanoseconds>(2 * pause, kLongestPause);
  }
  const char state = StateOf(pid);
  return absl::DeadlineExceededError(absl::StrCat(
      "child process ", pid, " was killed and has not ended",
      state == 'D'   ? ": the kernel waits for a device or a network file system on its behalf"
      : state == 'Z' ? ": a debugger or tracer holds it"
                     : "",
      "; end it before the next measurement (ps -o stat,wchan ", pid, ")"));
}

}  // namespace duetbench
