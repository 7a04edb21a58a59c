#include "duetbench/platform/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/child.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

using std::chrono::nanoseconds;

int ToPollTimeout(nanoseconds time) {
  const nanoseconds bounded = std::min<nanoseconds>(time, std::chrono::hours(1));
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(bounded).count());
}

using Children = std::vector<std::unique_ptr<Child>>;

// Why the child has to end now; nothing if it may go on. kExited: it has ended. `sleep` becomes the
// time for which it need not be looked at.
std::optional<ChildOutcome::End> WhyEnd(Child& child, nanoseconds* sleep) {
  if (child.HasEndedByItself()) return ChildOutcome::End::kExited;
  const nanoseconds turn = child.Sleep();
  if (turn == nanoseconds(0)) return ChildOutcome::End::kTimedOut;
  if (child.interrupted()) return ChildOutcome::End::kInterrupted;
  *sleep = std::min(*sleep, turn);
  return std::nullopt;
}

// Reads what the children write until each has ended or been ended.
absl::Status AwaitAll(Children& children, const WatchChildren& watch, nanoseconds interval) {
  std::vector<pid_t> pids;
  for (const auto& child : children) pids.push_back(child->pid());
  for (;;) {
    nanoseconds sleep = interval;
    bool one_runs = false;
    bool one_failed = false;
    for (const auto& child : children) {
      if (!child->reaped()) {
        if (const auto end = WhyEnd(*child, &sleep)) {
          const absl::Status status = child->Finish(*end);
          if (!status.ok()) return status;
        }
      }
      one_runs = one_runs || !child->reaped();
      one_failed = one_failed || (child->reaped() && child->failed());
    }
    if (!one_runs) return absl::OkStatus();
    if (watch) watch(pids);
    std::vector<pollfd> polled(children.size() * Child::kPolled, pollfd{-1, 0, 0});
    for (size_t i = 0; i < children.size(); ++i) {
      if (children[i]->reaped()) continue;
      if (one_failed) {
        const absl::Status status = children[i]->Finish(ChildOutcome::End::kEndedWithOther);
        if (!status.ok()) return status;
      } else {
        children[i]->Polled(&polled[i * Child::kPolled]);
      }
    }
    if (one_failed) return absl::OkStatus();
    if (poll(polled.data(), polled.size(), ToPollTimeout(sleep)) <= 0) continue;
    for (size_t i = 0; i < children.size(); ++i) {
      if (!children[i]->reaped()) children[i]->Read(&polled[i * Child::kPolled]);
    }
  }
}

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

absl::StatusOr<std::vector<ChildOutcome>> RunChildren(const std::vector<ChildRequest>& requests,
                                                      const WatchChildren& watch,
                                                      nanoseconds interval) {
  std::vector<ChildOutcome> outcomes(requests.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    if (!requests[i].body && requests[i].argv.empty()) {
      return absl::InvalidArgumentError("a child process needs an argv[0]");
    }
    outcomes[i].timeout = requests[i].timeout;
    if (requests[i].interrupted == nullptr || *requests[i].interrupted == 0) continue;
    for (ChildOutcome& outcome : outcomes) outcome.end = ChildOutcome::End::kInterrupted;
    return outcomes;
  }
  const SigchldNotIgnored sigchld_not_ignored;
  Children children;
  for (const ChildRequest& request : requests) {
    absl::StatusOr<std::unique_ptr<Child>> child = Child::Start(request);
    if (!child.ok()) return child.status();
    children.push_back(*std::move(child));
  }
  const absl::Status status = AwaitAll(children, watch, interval);
  if (!status.ok()) return status;
  for (size_t i = 0; i < children.size(); ++i) outcomes[i] = std::move(children[i]->outcome());
  return outcomes;
}

absl::StatusOr<ChildOutcome> RunSelf(const ChildRequest& request) {
  absl::StatusOr<std::vector<ChildOutcome>> outcomes = RunChildren({request});
  if (!outcomes.ok()) return outcomes.status();
  return std::move(outcomes->front());
}

std::string DescribeEnd(const ChildOutcome& outcome) {
  switch (outcome.end) {
    case ChildOutcome::End::kExited:
      return absl::StrCat("exited with status ", outcome.exit_code,
                          outcome.result.empty() ? " before it reported" : "");
    case ChildOutcome::End::kSignalled:
      return absl::StrCat("was killed by signal ", outcome.signal, " (", strsignal(outcome.signal),
                          ")");
    case ChildOutcome::End::kTimedOut:
      return absl::StrCat(outcome.was_stopped ? "was stopped (by a signal or a debugger) and " : "",
                          "did not finish within ",
                          std::chrono::duration<double>(outcome.timeout).count(), " s");
    case ChildOutcome::End::kInterrupted:
      return "was interrupted";
    case ChildOutcome::End::kEndedWithOther:
      return "was ended because its partner had failed";
  }
  return "ended in an unknown way";
}

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
  const int error = WriteAll(fd, bytes);
  return error == 0 ? absl::OkStatus()
                    : absl::ErrnoToStatus(error, "cannot report to the parent process");
}

void AdoptResultDescriptor(int fd) { ResultPipe() = KnownFile(fd); }

bool IsResultDescriptor(int fd) { return fd == ResultPipe().fd && ResultPipe().IsStill(); }

absl::Status WriteResult(int fd, absl::string_view bytes) {
  return (fd == ResultPipe().fd ? ResultPipe() : KnownFile(fd)).Write(bytes);
}

}  // namespace duetbench
