// The functions of subprocess.h that the child calls.

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/subprocess.h"

namespace duetbench {
namespace {

// Status and number of the result descriptor, from when it was taken.
struct stat result_pipe {};
int result_fd = -1;

void EndIfCollectorEnds(int result_fd, int timeout_ms) {
  // A pipe without a reader is an error of its writing end, which poll() reports unasked.
  pollfd polled = {result_fd, 0, 0};
  while (poll(&polled, 1, timeout_ms) < 0 && errno == EINTR) {
  }
  if ((polled.revents & POLLERR) == 0) return;
  if (getpgrp() == getpid()) kill(0, SIGKILL);
  raise(SIGKILL);
}

}  // namespace

void DieWithParent(pid_t expected_parent) {
  AskToDieWithParent();
  if (getppid() != expected_parent) raise(SIGKILL);
}

void EndIfCollectorHasEnded() {
  if (result_fd >= 0) EndIfCollectorEnds(result_fd, 0);
}

void EndWithCollector(pid_t collector, int result_fd, bool may_start_thread) {
  AskToDieWithParent();
  if (getppid() == collector || !may_start_thread) return;
  const auto await = [result_fd] { EndIfCollectorEnds(result_fd, -1); };
  try {
    std::thread(await).detach();
  } catch (const std::system_error&) {
    // A limit on threads, which the run meets too and reports.
  }
}

absl::StatusOr<int> TakeResultDescriptor(const std::string& variable) {
  const char* const value = getenv(variable.c_str());
  if (value == nullptr) {
    return absl::NotFoundError(absl::StrCat("the environment has no ", variable));
  }
  int fd = -1;
  if (!absl::SimpleAtoi(value, &fd) || fd < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        variable, "=", value, " is not an open descriptor; this variable is set by duetbench for ",
        "its child processes only, unset it"));
  }
  unsetenv(variable.c_str());
  AdoptResultDescriptor(fd);
  return fd;
}

void AdoptResultDescriptor(int fd) {
  if (fstat(fd, &result_pipe) == 0) result_fd = fd;
}

bool IsResultDescriptor(int fd) {
  struct stat now;
  return fd == result_fd && fstat(fd, &now) == 0 && now.st_dev == result_pipe.st_dev &&
         now.st_ino == result_pipe.st_ino;
}

absl::Status WriteResult(int fd, absl::string_view bytes) {
  if (result_fd >= 0 && !IsResultDescriptor(fd)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "descriptor ", fd, ", to which the result is written, was closed by something else"));
  }
  while (!bytes.empty()) {
    const ssize_t size = write(fd, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return absl::ErrnoToStatus(errno, "cannot report to the parent process");
    bytes.remove_prefix(static_cast<size_t>(size));
  }
  return absl::OkStatus();
}

}  // namespace duetbench
