#include "duetbench/process/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/suspend_aware_deadline.h"

namespace duetbench {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

constexpr size_t kTailBytes = 4096;
constexpr milliseconds kInterruptPollInterval(100);

// Intervals at which the end of the child is polled for without a pidfd. Usually its pipes are
// closed shortly before; but a grandchild may hold them open.
constexpr milliseconds kClosedPollInterval(1);
constexpr milliseconds kOpenPollInterval(50);

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { Reset(); }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void Reset(int fd = -1) {
    if (fd_ >= 0) close(fd_);
    fd_ = fd;
  }

 private:
  int fd_ = -1;
};

// While it lives, the kernel keeps the exit status of children. It discards it where SIGCHLD is
// ignored, which a process can inherit from the program that started it.
class SigchldNotIgnored {
 public:
  SigchldNotIgnored() {
    sigaction(SIGCHLD, nullptr, &before_);
    changed_ = before_.sa_handler == SIG_IGN || (before_.sa_flags & SA_NOCLDWAIT) != 0;
    if (!changed_) return;
    struct sigaction action = before_;
    if (action.sa_handler == SIG_IGN) action.sa_handler = SIG_DFL;
    action.sa_flags &= ~SA_NOCLDWAIT;
    sigaction(SIGCHLD, &action, nullptr);
  }
  SigchldNotIgnored(const SigchldNotIgnored&) = delete;
  SigchldNotIgnored& operator=(const SigchldNotIgnored&) = delete;
  ~SigchldNotIgnored() {
    if (changed_) sigaction(SIGCHLD, &before_, nullptr);
  }

 private:
  struct sigaction before_ = {};
  bool changed_ = false;
};

absl::Status OpenPipe(Descriptor* read_end, Descriptor* write_end) {
  int ends[2];
  if (OpenPipeClosedOnExec(ends) != 0) {
    return absl::ErrnoToStatus(errno, "cannot open a pipe to a child process");
  }
  read_end->Reset(ends[0]);
  write_end->Reset(ends[1]);
  // In a process whose stdin, stdout or stderr is closed the pipe may have got that number, which
  // the child needs.
  if (ends[1] <= STDERR_FILENO) {
    const int moved = fcntl(ends[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (moved < 0) return absl::ErrnoToStatus(errno, "cannot open a pipe to a child process");
    write_end->Reset(moved);
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return absl::OkStatus();
}

std::vector<std::string> EnvironmentOf(const ChildRequest& request, int result_fd) {
  std::vector<std::pair<std::string, std::string>> added = request.environment;
  added.emplace_back(request.result_fd_variable, absl::StrCat(result_fd));
  std::vector<std::string> environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const size_t name_length = strcspn(*entry, "=");
    const bool replaced = std::any_of(added.begin(), added.end(), [&](const auto& variable) {
      return variable.first == absl::string_view(*entry, name_length);
    });
    if (!replaced) environment.emplace_back(*entry);
  }
  for (const auto& variable : added) {
    environment.push_back(absl::StrCat(variable.first, "=", variable.second));
  }
  return environment;
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

absl::StatusOr<pid_t> Spawn(const ChildRequest& request, int result_fd, int output_fd) {
  std::vector<std::string> argv = request.argv;
  std::vector<std::string> environment = EnvironmentOf(request, result_fd);
  const std::vector<char*> argv_pointers = Pointers(argv);
  const std::vector<char*> environment_pointers = Pointers(environment);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  // A descriptor duplicated onto itself loses its close-on-exec flag, in the child alone.
  posix_spawn_file_actions_adddup2(&files, result_fd, result_fd);
  if (output_fd >= 0) {
    posix_spawn_file_actions_adddup2(&files, output_fd, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, output_fd, STDERR_FILENO);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  pid_t pid = -1;
  int error = posix_spawn(&pid, request.executable.c_str(), &files, &attributes,
                          argv_pointers.data(), environment_pointers.data());
  if (error != 0) {
    const std::string& other =
        request.fallback_executable.empty() ? request.argv[0] : request.fallback_executable;
    error = posix_spawnp(&pid, other.c_str(), &files, &attributes, argv_pointers.data(),
                         environment_pointers.data());
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    return absl::ErrnoToStatus(error, absl::StrCat("cannot start ", request.argv[0], " again"));
  }
  return pid;
}

// Reads once, at most `limit` bytes; closes the descriptor at the end of the file. Returns the
// number of bytes read. Only one read, so that the caller checks its clock even if a child writes
// without pause.
size_t ReadSome(Descriptor& pipe, std::string* text, size_t limit = 1 << 16) {
  char buffer[1 << 16];
  const ssize_t size = read(pipe.get(), buffer, std::min(limit, sizeof(buffer)));
  if (size > 0) {
    text->append(buffer, static_cast<size_t>(size));
    return static_cast<size_t>(size);
  }
  if (size == 0 || (errno != EAGAIN && errno != EINTR)) pipe.Reset();
  return 0;
}

// After the end of the child: reads what is in the pipe now and no more. A descendant that left the
// process group may hold the pipe open, and write to it, forever.
void ReadRest(Descriptor& pipe, std::string* text) {
  int rest = 0;
  if (!pipe.open() || ioctl(pipe.get(), FIONREAD, &rest) != 0) return;
  for (size_t left = static_cast<size_t>(rest); left > 0 && pipe.open();) {
    const size_t size = ReadSome(pipe, text, left);
    if (size == 0) return;
    left -= size;
  }
}

void KeepTail(std::string* text) {
  if (text->size() > kTailBytes) text->erase(0, text->size() - kTailBytes);
}

int ToPollTimeout(nanoseconds time) {
  const nanoseconds bounded = std::min<nanoseconds>(time, std::chrono::hours(1));
  return static_cast<int>(std::chrono::ceil<milliseconds>(bounded).count());
}

bool HasEnded(pid_t pid) {
  siginfo_t info = {};
  const int error = waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
  // ECHILD: another wait() of this program has reaped it; Reap() reports that.
  return error != 0 ? errno != EINTR : info.si_pid == pid;
}

absl::Status Reap(pid_t pid, ChildOutcome* outcome) {
  siginfo_t info = {};
  while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED) != 0) {
    if (errno == EINTR) continue;
    return absl::InternalError(
        absl::StrCat("the end of child process ", pid,
                     " is unknown: another part of this program has waited for it"));
  }
  if (outcome->end != ChildOutcome::End::kExited) return absl::OkStatus();
  if (info.si_code == CLD_EXITED) {
    outcome->exit_code = info.si_status;
  } else {
    outcome->end = ChildOutcome::End::kSignalled;
    outcome->signal = info.si_status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ChildOutcome> RunSelf(const ChildRequest& request) {
  if (request.argv.empty()) return absl::InvalidArgumentError("a child process needs an argv[0]");
  ChildOutcome outcome;
  outcome.timeout = request.timeout;
  const auto interrupted = [&] {
    return request.interrupted != nullptr && *request.interrupted != 0;
  };
  if (interrupted()) {
    outcome.end = ChildOutcome::End::kInterrupted;
    return outcome;
  }

  Descriptor result, result_write_end, output, output_write_end;
  absl::Status status = OpenPipe(&result, &result_write_end);
  if (status.ok() && !request.forward_output) status = OpenPipe(&output, &output_write_end);
  if (!status.ok()) return status;
  const SigchldNotIgnored sigchld_not_ignored;
  const steady_clock::time_point start = steady_clock::now();
  const absl::StatusOr<pid_t> pid = Spawn(request, result_write_end.get(), output_write_end.get());
  if (!pid.ok()) return pid.status();
  result_write_end.Reset();
  output_write_end.Reset();
  const Descriptor end_of_child(OpenEndOfProcess(*pid));

  SuspendAwareDeadline deadline(request.timeout, start);
  while (!HasEnded(*pid)) {
    nanoseconds sleep = deadline.Turn(steady_clock::now());
    if (interrupted() || sleep == nanoseconds(0)) {
      outcome.end =
          sleep > nanoseconds(0) ? ChildOutcome::End::kInterrupted : ChildOutcome::End::kTimedOut;
      break;
    }
    if (request.interrupted != nullptr)
      sleep = std::min<nanoseconds>(sleep, kInterruptPollInterval);
    if (!end_of_child.open()) {
      const bool closed = !result.open() && !output.open();
      sleep = std::min<nanoseconds>(sleep, closed ? kClosedPollInterval : kOpenPollInterval);
    }
    pollfd polled[] = {
        {result.get(), POLLIN, 0}, {output.get(), POLLIN, 0}, {end_of_child.get(), POLLIN, 0}};
    if (poll(polled, 3, ToPollTimeout(sleep)) <= 0) continue;
    if (polled[0].revents != 0) ReadSome(result, &outcome.result);
    if (polled[1].revents != 0) ReadSome(output, &outcome.output_tail);
    KeepTail(&outcome.output_tail);
    if (outcome.result.size() > request.max_result_bytes) break;
  }

  // The child keeps its process id until it is reaped: the group is its own.
  kill(-*pid, SIGKILL);
  status = Reap(*pid, &outcome);
  ReadRest(result, &outcome.result);
  ReadRest(output, &outcome.output_tail);
  KeepTail(&outcome.output_tail);
  outcome.wall_time = steady_clock::now() - start;
  if (!status.ok()) return status;
  if (outcome.result.size() > request.max_result_bytes) {
    return absl::ResourceExhaustedError(absl::StrCat("a child process reported more than the ",
                                                     request.max_result_bytes, " bytes allowed"));
  }
  return outcome;
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
      return absl::StrCat("did not finish within ",
                          std::chrono::duration<double>(outcome.timeout).count(), " s");
    case ChildOutcome::End::kInterrupted:
      return "was interrupted";
  }
  return "ended in an unknown way";
}

}  // namespace duetbench
