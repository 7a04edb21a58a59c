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

// From when it was taken, which may be before the static objects of this file are initialized.
KnownFile& ResultPipe() {
  static KnownFile pipe(-1);
  return pipe;
}

void EndIfCollectorEnds(int timeout_ms) {
  // A pipe without a reader is an error of its writing end, which poll() reports unasked.
  pollfd polled = {ResultPipe().fd, 0, 0};
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

void EndIfCollectorHasEnded() { EndIfCollectorEnds(0); }

void EndWithCollector(pid_t collector, bool may_start_thread) {
  AskToDieWithParent();
  if (getppid() == collector || !may_start_thread) return;
  try {
    std::thread(EndIfCollectorEnds, /*timeout_ms=*/-1).detach();
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

KnownFile::KnownFile(int descriptor) : fd(descriptor) {
  struct stat status {};
  if (fstat(fd, &status) != 0) return;
  device = status.st_dev;
  inode = status.st_ino;
}

bool KnownFile::IsStill() const {
  struct stat now {};
  return fstat(fd, &now) == 0 && now.st_dev == device && now.st_ino == inode;
}

absl::Status KnownFile::Write(absl::string_view bytes) const {
  if (!IsStill()) {
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

void AdoptResultDescriptor(int fd) { ResultPipe() = KnownFile(fd); }

bool IsResultDescriptor(int fd) { return fd == ResultPipe().fd && ResultPipe().IsStill(); }

absl::Status WriteResult(int fd, absl::string_view bytes) {
  return (fd == ResultPipe().fd ? ResultPipe() : KnownFile(fd)).Write(bytes);
}

}  // namespace duetbench
