#include "duetbench/process/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/suspend_aware_deadline.h"
#include "duetbench/platform/text_file.h"
#include "duetbench/process/group_guard.h"

namespace duetbench {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

constexpr size_t kReadBytes = 64 << 10;
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

// Variants that close all the descriptors that they may have, such as 3 to 255, or open many, do
// not meet one as high as this.
int HighDescriptor() {
  constexpr rlim_t kHigh = 1000;
  constexpr rlim_t kReserve = 16;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return STDERR_FILENO + 1;
  const rlim_t highest = std::min(limit.rlim_cur, kHigh + kReserve);
  return highest > 2 * kReserve ? static_cast<int>(highest - kReserve) : STDERR_FILENO + 1;
}

absl::Status OpenPipe(Descriptor* read_end, Descriptor* write_end) {
  int ends[2];
  if (OpenPipeClosedOnExec(ends) != 0) {
    return absl::ErrnoToStatus(errno, "cannot open a pipe to a child process");
  }
  read_end->Reset(ends[0]);
  write_end->Reset(ends[1]);
  const int moved = fcntl(ends[1], F_DUPFD_CLOEXEC, HighDescriptor());
  if (moved >= 0) write_end->Reset(moved);
  // In a process whose stdin, stdout or stderr is closed the pipe may have got that number, which
  // the child needs.
  if (write_end->get() <= STDERR_FILENO) {
    return absl::UnavailableError("cannot open a pipe to a child process: no descriptor is free");
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

absl::StatusOr<pid_t> Spawn(const ChildRequest& request, int input_fd, int result_fd,
                            int output_fd) {
  std::vector<std::string> argv = request.argv;
  std::vector<std::string> environment = EnvironmentOf(request, result_fd);
  const std::vector<char*> argv_pointers = Pointers(argv);
  const std::vector<char*> environment_pointers = Pointers(environment);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input_fd, STDIN_FILENO);
  // A descriptor duplicated onto itself loses its close-on-exec flag, in the child alone.
  posix_spawn_file_actions_adddup2(&files, result_fd, result_fd);
  if (request.inherited_fd >= 0) {
    posix_spawn_file_actions_adddup2(&files, request.inherited_fd, request.inherited_fd);
  }
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
    const bool again = request.executable == ChildRequest().executable;
    return absl::ErrnoToStatus(
        error, absl::StrCat("cannot start ",
                            request.fallback_executable.empty() ? request.argv[0]
                                                                : request.fallback_executable,
                            again ? " again" : ""));
  }
  return pid;
}

// Reads once, at most `limit` bytes; closes the descriptor at the end of the file. Returns the
// number of bytes read. Only one read, so that the caller checks its clock even if a child writes
// without pause.
size_t ReadSome(Descriptor& pipe, std::string* text, size_t limit = kReadBytes) {
  // No buffer on the stack, which may be small.
  const size_t before = text->size();
  text->resize(before + std::min(limit, kReadBytes));
  const ssize_t size = read(pipe.get(), text->data() + before, text->size() - before);
  const int error = errno;
  text->resize(before + static_cast<size_t>(std::max<ssize_t>(size, 0)));
  if (size > 0) return static_cast<size_t>(size);
  if (size == 0 || (error != EAGAIN && error != EINTR)) pipe.Reset();
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

void KeepTail(size_t bytes, std::string* text) {
  if (text->size() > bytes) text->erase(0, text->size() - bytes);
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

// Whether a process is stopped or traced, where /proc tells.
bool IsStopped(pid_t pid) {
  const std::optional<std::string> text = ReadTextFile(absl::StrCat("/proc/", pid, "/stat"));
  if (!text.has_value()) return false;
  // The state follows the name, which is in parentheses and may contain any.
  const size_t end_of_name = text->rfind(')');
  if (end_of_name == std::string::npos || end_of_name + 2 >= text->size()) return false;
  const char state = (*text)[end_of_name + 2];
  return state == 'T' || state == 't';
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

// A child that has been started.
class Child {
 public:
  // Errors: those of RunSelf.
  static absl::StatusOr<std::unique_ptr<Child>> Start(const ChildRequest& request) {
    auto child = std::make_unique<Child>(request);
    Descriptor result_write_end, output_write_end;
    absl::Status status = OpenPipe(&child->result_, &result_write_end);
    if (status.ok() && !request.forward_output) {
      status = OpenPipe(&child->output_, &output_write_end);
    }
    if (!status.ok()) return status;
    const Descriptor input(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!input.open()) {
      return absl::ErrnoToStatus(errno, "cannot open /dev/null for a child process");
    }
    const absl::StatusOr<pid_t> pid =
        Spawn(request, input.get(), result_write_end.get(), output_write_end.get());
    if (!pid.ok()) return pid.status();
    child->pid_ = *pid;
    child->guard_.emplace(*pid);
    child->end_of_child_.Reset(OpenEndOfProcess(*pid));
    return child;
  }

  explicit Child(const ChildRequest& request)
      : request_(request), start_(steady_clock::now()), deadline_(request.timeout, start_) {
    outcome_.timeout = request.timeout;
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ > 0 && !reaped_) Finish(ChildOutcome::End::kEndedWithOther).IgnoreError();
  }

  bool reaped() const { return reaped_; }
  bool HasEndedByItself() const { return HasEnded(pid_); }
  ChildOutcome& outcome() { return outcome_; }
  // It did not do what it was started for.
  bool failed() const {
    return outcome_.end != ChildOutcome::End::kExited || outcome_.exit_code != 0;
  }
  bool interrupted() const { return request_.interrupted != nullptr && *request_.interrupted != 0; }
  bool wrote_too_much() const { return outcome_.result.size() > request_.max_result_bytes; }

  // How long the caller may sleep in poll() before it looks again; 0: the child took too long.
  nanoseconds Sleep() {
    nanoseconds sleep = deadline_.Turn(steady_clock::now());
    if (request_.interrupted != nullptr) {
      sleep = std::min<nanoseconds>(sleep, kInterruptPollInterval);
    }
    if (!end_of_child_.open()) {
      const bool closed = !result_.open() && !output_.open();
      sleep = std::min<nanoseconds>(sleep, closed ? kClosedPollInterval : kOpenPollInterval);
    }
    return sleep;
  }

  // What to poll for, and what to do with the answer.
  static constexpr size_t kPolled = 3;
  void Polled(pollfd* polled) const {
    polled[0] = {result_.get(), POLLIN, 0};
    polled[1] = {output_.get(), POLLIN, 0};
    polled[2] = {end_of_child_.get(), POLLIN, 0};
  }
  void Read(const pollfd* polled) {
    if (polled[0].revents != 0) ReadSome(result_, &outcome_.result);
    if (polled[1].revents != 0) ReadSome(output_, &outcome_.output_tail);
    KeepTail(request_.tail_bytes, &outcome_.output_tail);
  }

  // Ends what is left of the child and its group. `end` is why it is killed; kExited: it has ended.
  absl::Status Finish(ChildOutcome::End end) {
    outcome_.end = end;
    if (end != ChildOutcome::End::kExited) outcome_.was_stopped = IsStopped(pid_);
    // The child keeps its process id until it is reaped: the group is its own.
    kill(-pid_, SIGKILL);
    guard_->End();
    reaped_ = true;
    const absl::Status status = Reap(pid_, &outcome_);
    ReadRest(result_, &outcome_.result);
    ReadRest(output_, &outcome_.output_tail);
    KeepTail(request_.tail_bytes, &outcome_.output_tail);
    outcome_.wall_time = steady_clock::now() - start_;
    if (!status.ok() || !wrote_too_much()) return status;
    return absl::ResourceExhaustedError(absl::StrCat("a child process reported more than the ",
                                                     request_.max_result_bytes, " bytes allowed"));
  }

 private:
  const ChildRequest& request_;
  const steady_clock::time_point start_;
  SuspendAwareDeadline deadline_;
  Descriptor result_, output_, end_of_child_;
  pid_t pid_ = -1;
  std::optional<GroupGuard> guard_;
  bool reaped_ = false;
  ChildOutcome outcome_;
};

using Children = std::vector<std::unique_ptr<Child>>;

// Why the child has to end now; nothing if it may go on. kExited: it has ended. `sleep` becomes the
// time for which it need not be looked at.
std::optional<ChildOutcome::End> WhyEnd(Child& child, nanoseconds* sleep) {
  if (child.HasEndedByItself() || child.wrote_too_much()) return ChildOutcome::End::kExited;
  const nanoseconds turn = child.Sleep();
  if (turn == nanoseconds(0)) return ChildOutcome::End::kTimedOut;
  if (child.interrupted()) return ChildOutcome::End::kInterrupted;
  *sleep = std::min(*sleep, turn);
  return std::nullopt;
}

// Reads what the children write until each has ended or been ended.
absl::Status AwaitAll(Children& children) {
  for (;;) {
    nanoseconds sleep = std::chrono::hours(1);
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

}  // namespace

absl::StatusOr<std::vector<ChildOutcome>> RunChildren(const std::vector<ChildRequest>& requests) {
  std::vector<ChildOutcome> outcomes(requests.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].argv.empty()) {
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
  const absl::Status status = AwaitAll(children);
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

}  // namespace duetbench
