#include "duetbench/platform/group_guard.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "absl/strings/str_cat.h"

namespace duetbench {
namespace {

constexpr int kInput = 3;

// Reads lines "+ GROUP" and "- GROUP" until the writer has ended, and kills the groups that are
// left. In the background, so that the shell that was started ends at once.
constexpr char kScript[] = R"(
(
  groups=
  while read -r sign group; do
    case $sign in
      +) groups="$groups $group" ;;
      -) rest=
         for each in $groups; do test "$each" = "$group" || rest="$rest $each"; done
         groups=$rest ;;
    esac
  done
  for each in $groups; do kill -s KILL -- "-$each"; done
) <&3 3<&- &
)";

// The end to which lines are written; -1: there is no shell.
int StartShell() {
  int ends[2];
  // A socket: writing to a pipe that nobody reads is a signal.
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
  for (int& end : ends) {
    const int moved = fcntl(end, F_DUPFD_CLOEXEC, kInput + 1);
    close(end);
    end = moved;
  }
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
  }
  posix_spawn_file_actions_adddup2(&files, ends[1], kInput);
  // It would keep open what the program left to its children: a pipe, whose reader waits for all.
  posix_spawn_file_actions_addclosefrom_np(&files, kInput + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &all);
  char shell[] = "sh";
  char option[] = "-c";
  std::string script = kScript;
  char* const argv[] = {shell, option, script.data(), nullptr};
  char* const no_environment[] = {nullptr};
  pid_t pid = -1;
  const bool started = ends[0] >= 0 && ends[1] >= 0 &&
                       posix_spawn(&pid, "/bin/sh", &files, &attributes, argv, no_environment) == 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (ends[1] >= 0) close(ends[1]);
  if (started) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return ends[0];
  }
  if (ends[0] >= 0) close(ends[0]);
  return -1;
}

void Tell(char sign, pid_t group) {
  static const int shell = StartShell();
  if (shell < 0) return;
  const std::string line = absl::StrCat(std::string(1, sign), " ", group, "\n");
  [[maybe_unused]] const ssize_t size =
      send(shell, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

GroupGuard::GroupGuard(pid_t group) : group_(group) { Tell('+', group_); }

void GroupGuard::End() { Tell('-', group_); }

}  // namespace duetbench
