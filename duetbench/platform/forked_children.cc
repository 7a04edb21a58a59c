#include "duetbench/platform/forked_children.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/platform/process.h"

namespace duetbench {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Where the system does not report the end of a process.
constexpr milliseconds kEndPollInterval(1);

// Reads what is in `pipe` now; closes it at its end.
void ReadAvailable(Descriptor& pipe, std::string* text) {
  while (ReadSome(pipe, text) > 0) {
  }
}

}  // namespace

struct ForkedChildren::Ends {
  Descriptor pipe;          // to read from
  Descriptor end_of_child;  // readable at its end
};

ForkedChildren::Pipe::Pipe(int fd) : fd_(fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0) return;
  device_ = status.st_dev;
  file_ = status.st_ino;
}

bool ForkedChildren::Pipe::Write(absl::string_view bytes) const {
  // Another file may have got the number.
  struct stat status {};
  if (fstat(fd_, &status) != 0 || status.st_dev != device_ || status.st_ino != file_) return false;
  while (!bytes.empty()) {
    const ssize_t size = write(fd_, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(size));
  }
  return true;
}

ForkedChildren::ForkedChildren() = default;

ForkedChildren::~ForkedChildren() {
  for (const auto& child : children_) {
    if (!child->has_ended) kill(child->pid, SIGKILL);
  }
  for (size_t i = 0; i < children_.size(); ++i) Reap(i, 0);
}

absl::Status ForkedChildren::Start(const std::function<void(const Pipe&)>& body) {
  auto ends = std::make_unique<Ends>();
  Descriptor write_end;
  if (absl::Status opened = OpenPipe(&ends->pipe, &write_end); !opened.ok()) return opened;
  // Else each child prints what this process has not printed yet.
  std::cout.flush();
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return absl::ErrnoToStatus(errno, "no process can be forked");
  if (pid == 0) {
    AskToDieWithParent();
    if (getppid() != parent) _exit(kExitError);
    sigchld_not_ignored_.Restore();
    ends->pipe.Reset();
    for (const auto& earlier : ends_) earlier->pipe.Reset();
    body(Pipe(write_end.get()));
    std::cout.flush();
    std::fflush(nullptr);
    _exit(kExitSuccess);
  }
  ends->end_of_child.Reset(OpenEndOfProcess(pid));
  children_.push_back(std::make_unique<Child>());
  children_.back()->pid = pid;
  ends_.push_back(std::move(ends));
  return absl::OkStatus();
}

void ForkedChildren::Reap(size_t index, int options) {
  Child& child = *children_[index];
  if (child.has_ended) return;
  int status = 0;
  pid_t reaped = 0;
  do {
    reaped = waitpid(child.pid, &status, options);
  } while (reaped < 0 && errno == EINTR);
  if (reaped == 0) return;
  child.has_ended = true;
  // Another wait() of this program may have reaped it: what it wrote tells whether it succeeded.
  child.wait_status = reaped == child.pid ? status : 0;
  ReadAvailable(ends_[index]->pipe, &child.written);
}

bool ForkedChildren::IsStopped(size_t child) const {
  siginfo_t info{};
  const auto pid = static_cast<id_t>(children_[child]->pid);
  return waitid(P_PID, pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

void ForkedChildren::Await(nanoseconds timeout) {
  std::vector<pollfd> polled;
  for (size_t i = 0; i < children_.size(); ++i) {
    if (children_[i]->has_ended) continue;
    // A descriptor that is not open is passed over.
    polled.push_back({ends_[i]->pipe.get(), POLLIN, 0});
    polled.push_back({ends_[i]->end_of_child.get(), POLLIN, 0});
    if (!ends_[i]->end_of_child.open()) timeout = std::min<nanoseconds>(timeout, kEndPollInterval);
  }
  const auto whole = std::chrono::ceil<milliseconds>(timeout);
  poll(polled.data(), polled.size(), static_cast<int>(whole.count()));
  for (size_t i = 0; i < children_.size(); ++i) {
    if (children_[i]->has_ended) continue;
    ReadAvailable(ends_[i]->pipe, &children_[i]->written);
    Reap(i, WNOHANG);
  }
}

void EndLike(int wait_status) {
  if (WIFEXITED(wait_status)) _exit(WEXITSTATUS(wait_status));
  const int number = WTERMSIG(wait_status);
  const rlimit no_core = {0, 0};  // the child has written one
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(number, SIG_DFL);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, number);
  sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  raise(number);
  _exit(kExitError);
}

}  // namespace duetbench
