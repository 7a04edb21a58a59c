#include "duetbench/platform/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <optional>
#include <system_error>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/spawn.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr milliseconds kInterruptPollInterval(100);

// Interval at which the end of the child is polled for without a pidfd.
constexpr milliseconds kChildPollInterval(5);

// Pauses between looks at a child that was killed: as a rule, the first look finds that it has
// ended.
constexpr milliseconds kFirstPause(1);
constexpr milliseconds kLongestPause(50);

int ToPollTimeout(nanoseconds time) {
  const nanoseconds bounded = std::min<nanoseconds>(time, std::chrono::hours(1));
  return static_cast<int>(std::chrono::ceil<milliseconds>(bounded).count());
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

// As /proc tells: R, S, D, T, t, Z …; 0: unknown.
char StateOf(pid_t pid) {
  const std::vector<std::string> words = StatWords(absl::StrCat("/proc/", pid));
  return words.empty() || words[0].empty() ? 0 : words[0][0];
}

// kGone: something else in this program has waited for it.
enum class Look { kRuns, kEnded, kGone };

// Never waits. `options`: of waitid. About 1 µs.
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

// Kills the process and the process group of that number. The process may have left the group; then
// nothing else is killed in the group that it has joined.
void KillWithGroup(pid_t pid) {
  // It keeps its number until it is reaped, whether it is in the group or not: both are its own.
  siginfo_t info;
  if (LookAt(pid, WNOWAIT, &info) != Look::kGone) kill(pid, SIGKILL);
  kill(-pid, SIGKILL);
}

// Reaps the child, which has ended or was killed. Errors: Internal, when something else has reaped
// it; DeadlineExceeded, when it has not ended within `patience`: the kernel waits for a device on
// its behalf, or a debugger holds it.
absl::StatusOr<siginfo_t> Reap(pid_t pid, nanoseconds patience) {
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  nanoseconds pause = kFirstPause;
  nanoseconds waited(0);
  siginfo_t info;
  for (;;) {
    switch (LookAt(pid, 0, &info)) {
      case Look::kEnded:
        return info;
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

// A child process and its pipes, by its process id, whatever it does: nothing waits for a child
// that does not end. It is killed with its group at the end of this object.
class Child {
 public:
  // `request` must live longer than the child.
  explicit Child(const ChildRequest& request)
      : request_(request),
        start_(std::chrono::steady_clock::now()),
        deadline_(request.timeout, start_) {
    outcome_.timeout = request.timeout;
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ > 0 && !reaped_) Finish(ChildOutcome::End::kEndedWithOther).IgnoreError();
  }

  // Errors: those of RunSelf.
  absl::Status Start() {
    Descriptor result_write_end, output_write_end;
    absl::Status status = OpenPipe(&result_, &result_write_end);
    if (status.ok() && !request_.is_part) {
      status = OpenPipe(&output_, &output_write_end);
      if (status.ok()) status = input_.Open(request_);
    }
    if (!status.ok()) return status;
    const absl::StatusOr<pid_t> pid =
        Spawn(request_, input_.get(), result_write_end.get(), output_write_end.get());
    if (!pid.ok()) return pid.status();
    pid_ = *pid;
    end_of_child_.Reset(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
    return absl::OkStatus();
  }

  pid_t pid() const { return pid_; }
  ChildOutcome& outcome() { return outcome_; }
  bool reaped() const { return reaped_; }
  // It did not do what it was started for.
  bool failed() const {
    return outcome_.end != ChildOutcome::End::kExited || outcome_.exit_code != 0 ||
           outcome_.result.empty();
  }

  // Why the child has to end now; nothing if it may go on. kExited: it has ended. `sleep` becomes
  // the time for which it need not be looked at.
  std::optional<ChildOutcome::End> WhyEnd(nanoseconds* sleep) {
    siginfo_t info;
    if (LookAt(pid_, WNOWAIT, &info) != Look::kRuns) return ChildOutcome::End::kExited;
    nanoseconds turn = deadline_.Turn(std::chrono::steady_clock::now());
    if (turn == nanoseconds(0)) return ChildOutcome::End::kTimedOut;
    if (request_.interrupted != nullptr) {
      if (*request_.interrupted != 0) return ChildOutcome::End::kInterrupted;
      turn = std::min<nanoseconds>(turn, kInterruptPollInterval);
    }
    if (!end_of_child_.open()) turn = std::min<nanoseconds>(turn, kChildPollInterval);
    *sleep = std::min(*sleep, turn);
    return std::nullopt;
  }

  // Polled() fills in the events to poll for, and Read() takes the answer.
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
    if (end != ChildOutcome::End::kExited) {
      const char state = StateOf(pid_);
      outcome_.was_stopped = state == 'T' || state == 't';
    }
    KillWithGroup(pid_);
    reaped_ = true;
    const absl::StatusOr<siginfo_t> ended = Reap(pid_, request_.patience);
    if (ended.ok() && end == ChildOutcome::End::kExited) {
      const bool by_signal = ended->si_code != CLD_EXITED;
      if (by_signal) outcome_.end = ChildOutcome::End::kSignalled;
      (by_signal ? outcome_.signal : outcome_.exit_code) = ended->si_status;
    }
    ReadRest(result_, &outcome_.result);
    ReadRest(output_, &outcome_.output_tail);
    KeepTail(request_.tail_bytes, &outcome_.output_tail);
    if (end != ChildOutcome::End::kExited) AwaitGroup();
    outcome_.wall_time = std::chrono::steady_clock::now() - start_;
    return ended.ok() ? input_.Check() : ended.status();
  }

 private:
  // Processes that the child had forked were killed with it, and end by themselves: some free much
  // memory meanwhile, and would go on beside the next run, or after the end of this program. Each
  // has the pipe of the result open until then.
  void AwaitGroup() {
    constexpr milliseconds kPatience(1000);  // what left the group and lives on has it open, too
    std::string ignored;
    SuspendAwareDeadline deadline(kPatience, std::chrono::steady_clock::now());
    while (result_.open() && deadline.Turn(std::chrono::steady_clock::now()) > nanoseconds(0)) {
      pollfd polled = {result_.get(), POLLIN, 0};
      if (poll(&polled, 1, /*milliseconds=*/10) > 0) ReadSome(result_, &ignored);
      ignored.clear();
    }
  }

  const ChildRequest& request_;
  const std::chrono::steady_clock::time_point start_;
  SuspendAwareDeadline deadline_;
  ChildInput input_;
  Descriptor result_, output_;
  Descriptor end_of_child_;  // readable when it has ended; not open: the kernel has none
  pid_t pid_ = -1;
  bool reaped_ = false;
  ChildOutcome outcome_;
};

// They stay where they are.
using Children = std::deque<Child>;

// Reads what the children write until each has ended or been ended.
absl::Status AwaitAll(Children& children, const WatchChildren& watch, nanoseconds interval) {
  std::vector<pid_t> pids;
  for (const Child& child : children) pids.push_back(child.pid());
  for (;;) {
    nanoseconds sleep = interval;
    bool one_runs = false;
    bool one_failed = false;
    for (Child& child : children) {
      if (!child.reaped()) {
        if (const auto end = child.WhyEnd(&sleep)) {
          const absl::Status status = child.Finish(*end);
          if (!status.ok()) return status;
        }
      }
      one_runs = one_runs || !child.reaped();
      one_failed = one_failed || (child.reaped() && child.failed());
    }
    if (!one_runs) return absl::OkStatus();
    if (watch) watch(pids);
    std::vector<pollfd> polled(children.size() * Child::kPolled, pollfd{-1, 0, 0});
    for (size_t i = 0; i < children.size(); ++i) {
      if (children[i].reaped()) continue;
      if (one_failed) {
        const absl::Status status = children[i].Finish(ChildOutcome::End::kEndedWithOther);
        if (!status.ok()) return status;
      } else {
        children[i].Polled(&polled[i * Child::kPolled]);
      }
    }
    if (one_failed) return absl::OkStatus();
    if (poll(polled.data(), polled.size(), ToPollTimeout(sleep)) <= 0) continue;
    for (size_t i = 0; i < children.size(); ++i) {
      if (!children[i].reaped()) children[i].Read(&polled[i * Child::kPolled]);
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
  for (const ChildRequest& request : requests) {
    if (!request.body && request.argv.empty()) {
      return absl::InvalidArgumentError("a child process needs an argv[0]");
    }
    if (request.interrupted == nullptr || *request.interrupted == 0) continue;
    ChildOutcome interrupted;
    interrupted.end = ChildOutcome::End::kInterrupted;
    return std::vector<ChildOutcome>(requests.size(), interrupted);
  }
  const SigchldNotIgnored sigchld_not_ignored;
  Children children;
  for (const ChildRequest& request : requests) {
    const absl::Status started = children.emplace_back(request).Start();
    if (!started.ok()) return started;
  }
  const absl::Status status = AwaitAll(children, watch, interval);
  if (!status.ok()) return status;
  std::vector<ChildOutcome> outcomes;
  for (Child& child : children) outcomes.push_back(std::move(child.outcome()));
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
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != expected_parent) raise(SIGKILL);
}

void EndIfCollectorHasEnded() { EndIfCollectorEnds(0); }

void EndWithCollector(pid_t collector, bool may_start_thread) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
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
