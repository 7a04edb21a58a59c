#include "duetbench/platform/child.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "duetbench/platform/process.h"

namespace duetbench {
namespace {

constexpr char kRemedy[] =
    " can be read only once, and each run starts the program again: give it a file";

// Before main has read from it.
const off_t stdin_begin = std::max<off_t>(lseek(STDIN_FILENO, 0, SEEK_CUR), 0);

bool IsPipe(const struct stat& status) {
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

bool NamesPipe(absl::string_view path) {
  struct stat status {};
  return stat(std::string(path).c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

absl::Status PipeError(absl::string_view what) {
  return absl::FailedPreconditionError(absl::StrCat("'", what, "' names a pipe, which", kRemedy));
}

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr milliseconds kInterruptPollInterval(100);

// Interval at which the end of the child is polled for without a pidfd.
constexpr milliseconds kChildPollInterval(5);

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

// FailedPrecondition, with its name, if a word of `argv`, or the value of a variable of the
// environment, names a pipe: a process that opens it waits for a writer forever, or finds it empty.
absl::Status CheckNamedInputs(const std::vector<std::string>& argv) {
  for (const std::string& argument : argv) {
    // Commands have several words.
    for (const absl::string_view word :
         absl::StrSplit(argument, absl::ByAnyChar(" \t\n'\";|&(){}<>="), absl::SkipEmpty())) {
      if (NamesPipe(word)) return PipeError(word);
    }
  }
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::vector<absl::string_view> parts = absl::StrSplit(*entry, absl::MaxSplits('=', 1));
    if (parts.size() > 1 && NamesPipe(parts[1])) return PipeError(*entry);
  }
  return absl::OkStatus();
}

// True if the process is stopped or traced, where /proc tells.
bool IsStopped(pid_t pid) {
  const char state = StateOf(pid);
  return state == 'T' || state == 't';
}

// Kills the process and the process group of that number. The process may have left the group; then
// nothing else is killed in the group that it has joined.
void KillWithGroup(pid_t pid) {
  // It keeps its number until it is reaped, whether it is in the group or not: both are its own.
  siginfo_t info;
  if (LookAt(pid, WNOWAIT, &info) != Look::kGone) kill(pid, SIGKILL);
  kill(-pid, SIGKILL);
}

}  // namespace

absl::Status ChildInput::Open(bool is_shared) {
  struct stat status {};
  is_shared = is_shared && fstat(STDIN_FILENO, &status) == 0 && isatty(STDIN_FILENO) == 0;
  if (is_shared && !IsPipe(status)) {
    input_.Reset(open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC));
    if (input_.open()) lseek(input_.get(), stdin_begin, SEEK_SET);
  } else if (!is_shared) {
    input_.Reset(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!input_.open()) {
      return absl::ErrnoToStatus(errno, "cannot open /dev/null for a child process");
    }
  }
  if (input_.open()) return absl::OkStatus();
  // A pipe, or a file that this process must not open.
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return absl::ErrnoToStatus(errno, "cannot open a pipe to a child process");
  }
  input_.Reset(ends[0]);
  const Descriptor write_end(ends[1]);
  is_pipe_ = write(write_end.get(), "\n", 1) == 1;
  return absl::OkStatus();
}

absl::Status ChildInput::Check() const {
  int unread = 1;
  if (!is_pipe_ || ioctl(input_.get(), FIONREAD, &unread) != 0 || unread > 0) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("reads stdin, a pipe, which", kRemedy, " (< FILE, or < /dev/null)"));
}

bool HasEnded(pid_t pid) {
  siginfo_t info;
  // kGone: another wait() of this program has reaped it; Reap() reports that.
  return LookAt(pid, WNOWAIT, &info) != Look::kRuns;
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

absl::StatusOr<std::unique_ptr<Child>> Child::Start(const ChildRequest& request) {
  auto child = std::make_unique<Child>(request);
  Descriptor result_write_end, output_write_end;
  absl::Status status = OpenPipe(&child->result_, &result_write_end);
  if (status.ok() && request.shares_input) status = CheckNamedInputs(request.argv);
  if (status.ok() && !request.is_part) {
    status = OpenPipe(&child->output_, &output_write_end);
    if (status.ok()) status = child->input_.Open(request.shares_input);
  }
  if (!status.ok()) return status;
  const absl::StatusOr<pid_t> pid =
      Spawn(request, child->input_.get(), result_write_end.get(), output_write_end.get());
  if (!pid.ok()) return pid.status();
  child->pid_ = *pid;
  child->end_of_child_.Reset(OpenEndOfProcess(*pid));
  return child;
}

Child::Child(const ChildRequest& request)
    : request_(request),
      start_(std::chrono::steady_clock::now()),
      deadline_(request.timeout, start_) {
  outcome_.timeout = request.timeout;
}

Child::~Child() {
  if (pid_ > 0 && !reaped_) Finish(ChildOutcome::End::kEndedWithOther).IgnoreError();
}

nanoseconds Child::Sleep() {
  nanoseconds sleep = deadline_.Turn(std::chrono::steady_clock::now());
  if (request_.interrupted != nullptr) {
    sleep = std::min<nanoseconds>(sleep, kInterruptPollInterval);
  }
  if (!end_of_child_.open()) sleep = std::min<nanoseconds>(sleep, kChildPollInterval);
  return sleep;
}

void Child::Polled(pollfd* polled) const {
  polled[0] = {result_.get(), POLLIN, 0};
  polled[1] = {output_.get(), POLLIN, 0};
  polled[2] = {end_of_child_.get(), POLLIN, 0};
}

void Child::Read(const pollfd* polled) {
  if (polled[0].revents != 0) ReadSome(result_, &outcome_.result);
  if (polled[1].revents != 0) ReadSome(output_, &outcome_.output_tail);
  KeepTail(request_.tail_bytes, &outcome_.output_tail);
}

// Processes that the child had forked were killed with it, and end by themselves: some free much
// memory meanwhile, and would go on beside the next run, or after the end of this program. Each has
// the pipe of the result open until then.
void Child::AwaitGroup() {
  constexpr milliseconds kPatience(1000);  // what left the group and lives on has it open, too
  std::string ignored;
  SuspendAwareDeadline deadline(kPatience, std::chrono::steady_clock::now());
  while (result_.open() && deadline.Turn(std::chrono::steady_clock::now()) > nanoseconds(0)) {
    pollfd polled = {result_.get(), POLLIN, 0};
    if (poll(&polled, 1, /*milliseconds=*/10) > 0) ReadSome(result_, &ignored);
    ignored.clear();
  }
}

absl::Status Child::Finish(ChildOutcome::End end) {
  outcome_.end = end;
  if (end != ChildOutcome::End::kExited) outcome_.was_stopped = IsStopped(pid_);
  KillWithGroup(pid_);
  reaped_ = true;
  const absl::StatusOr<ProcessEnd> ended = Reap(pid_, request_.patience);
  if (ended.ok() && end == ChildOutcome::End::kExited) {
    if (ended->by_signal) outcome_.end = ChildOutcome::End::kSignalled;
    (ended->by_signal ? outcome_.signal : outcome_.exit_code) = ended->value;
  }
  ReadRest(result_, &outcome_.result);
  ReadRest(output_, &outcome_.output_tail);
  KeepTail(request_.tail_bytes, &outcome_.output_tail);
  if (end != ChildOutcome::End::kExited) AwaitGroup();
  outcome_.wall_time = std::chrono::steady_clock::now() - start_;
  return ended.ok() ? input_.Check() : ended.status();
}

}  // namespace duetbench
