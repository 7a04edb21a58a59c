#ifndef DUETBENCH_PLATFORM_SUBPROCESS_H_
#define DUETBENCH_PLATFORM_SUBPROCESS_H_

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace duetbench {

// A time limit that does not count pauses of the whole machine: a virtual machine may be suspended
// for minutes while it is saved or migrated, and its clocks go on. The caller waits in turns of a
// tenth of the limit or less; a turn that took longer counts as two.
class SuspendAwareDeadline {
 public:
  SuspendAwareDeadline(std::chrono::nanoseconds limit, std::chrono::steady_clock::time_point begin)
      : turn_(std::max(limit / 10, std::chrono::nanoseconds(1))), left_(limit), last_(begin) {}

  // Counts the time since the last call (or `begin`) and returns how long to wait before the next
  // one. Zero: the limit is reached.
  std::chrono::nanoseconds Turn(std::chrono::steady_clock::time_point now) {
    // A clock that was set back counts as one that has not moved.
    left_ -=
        std::clamp<std::chrono::nanoseconds>(now - last_, std::chrono::nanoseconds(0), 2 * turn_);
    last_ = now;
    return std::clamp(left_, std::chrono::nanoseconds(0), turn_);
  }

 private:
  std::chrono::nanoseconds turn_;
  std::chrono::nanoseconds left_;
  std::chrono::steady_clock::time_point last_;
};

// Runs this program, or another one, in a child process. Every run of an experiment is one, because
// only a new process has a new memory layout.

struct ChildRequest {
  std::vector<std::string> argv;  // argv[0] included; passed on unchanged
  std::string folder;  // to start it in; empty: this one. `executable` is then an absolute path.
  // Added to the environment of this process; replaces variables of the same name.
  std::vector<std::pair<std::string, std::string>> environment;
  // The environment variable that tells the child the number of the descriptor it writes its
  // result to (see TakeResultDescriptor).
  std::string result_fd_variable;
  // From the start of the child to its end, without pauses of the whole machine
  // (SuspendAwareDeadline); then the child is killed.
  std::chrono::nanoseconds timeout = std::chrono::seconds(60);
  // The longest wait for the end of a child that was killed. A child that waits for a device, or
  // that a debugger holds, ends later or never.
  std::chrono::nanoseconds patience = std::chrono::seconds(10);
  // stdout and stderr are captured, and their tail is kept.
  size_t tail_bytes = 4096;
  // May be null. When it becomes non-zero (set by the handler of SIGINT, for instance) the child is
  // killed.
  const volatile std::sig_atomic_t* interrupted = nullptr;
  // The program. The link in /proc is right even if argv[0] was found through PATH, or if the file
  // has been replaced by a new build in the meantime.
  std::string executable = "/proc/self/exe";
  // stdin is that of ChildInput (spawn.h), for a program of the user; false: /dev/null.
  bool shares_input = false;
  // A descriptor that the child gets too, under the same number; -1: none.
  int inherited_fd = -1;
  // If set, the child is a fork of this process, which executes it with the descriptor for the
  // result and then ends: it has the code layout, memory layout and resources of this process,
  // which must have one thread. argv, folder, environment and executable mean nothing then.
  std::function<void(int result_fd)> body;
  // The fork is a part of this process: it stays in its process group, with its stdin, its outputs,
  // its handlers of signals and its result descriptor, beside which it gets another one.
  bool is_part = false;
};

struct ChildOutcome {
  // kEndedWithOther: killed because another child of the same call failed.
  enum class End { kExited, kSignalled, kTimedOut, kInterrupted, kEndedWithOther };
  End end = End::kExited;
  int exit_code = 0;        // of kExited
  int signal = 0;           // of kSignalled
  std::string result;       // all bytes that the child wrote to the result descriptor
  std::string output_tail;  // the last tail_bytes of stdout and stderr together, if captured
  std::chrono::nanoseconds wall_time{0};  // from before the start of the child to after its end
  std::chrono::nanoseconds timeout{0};    // as requested
  bool was_stopped = false;               // when it was killed: by a signal, or by a debugger
};

// Runs this program again as `request` says and returns when the child has ended.
//
// The child leads a new process group. After its end the rest of that group is killed, so that
// nothing it started disturbs the next run. Ctrl-C on the terminal therefore reaches this process
// only, which ends the child by `interrupted`. If this process is killed itself, DieWithParent()
// ends the child, but not what that has started. The way a child ends is not an error: `end` says
// whether it exited, crashed, took too long or was interrupted.
//
// Errors: InvalidArgument (no argv[0]); an error such as NotFound with the cause if the child
// could not be started; DeadlineExceeded if it has not ended after it was killed;
// FailedPrecondition if it needs an input that can be read only once.
//
// Cost: posix_spawn does not copy the page tables, however much memory this process has. 2.0 ms
// until main() of a child that loads Abseil and the C++ library as shared libraries, 0.4 ms if it
// is linked statically; 0.3 ms for its end. The waiting thread sleeps in poll(2); with
// `interrupted` it wakes ten times a second, since another thread may get the signal.
//
// Thread-safe, with one exception: an ignored SIGCHLD is set to its default during the call,
// because the exit status is lost otherwise. In such a process calls must not overlap.
absl::StatusOr<ChildOutcome> RunSelf(const ChildRequest& request);

// Runs several children at the same time, each as RunSelf does, and returns when all have ended:
// the outcomes are in the order of the requests. When one fails (it is killed by a signal, exits
// with another status than 0, brings no result, or takes too long), those that still run are
// killed: they may wait for it. If one cannot be started, the others are killed, and the error is
// returned.
//
// Until then `watch` is called every `interval`, with the process ids in the same order; null: it
// is not.
using WatchChildren = std::function<void(absl::Span<const pid_t> children)>;
absl::StatusOr<std::vector<ChildOutcome>> RunChildren(
    const std::vector<ChildRequest>& requests, const WatchChildren& watch = nullptr,
    std::chrono::nanoseconds interval = std::chrono::hours(1));

// The predicate of a sentence about a child: "was killed by signal 11 (Segmentation fault)",
// "exited with status 3 before it reported" (no result was written), "exited with status 3",
// "did not finish within 60 s", "was interrupted".
std::string DescribeEnd(const ChildOutcome& outcome);

// The functions below are called by the child.

// Makes the kernel kill this process when the thread that started it ends (RunSelf blocks that
// thread). If the parent is not `expected_parent` any more, it has ended before the call, and this
// process is killed at once. Call it early in main().
void DieWithParent(pid_t expected_parent);

// The same for a process that may have been started through another one (a shell, a debugger),
// whose end says nothing: if `collector` is not the parent, this process ends when nobody is left
// that reads its result. For that it starts a thread, which sleeps; a process that must have one
// thread only calls EndIfCollectorHasEnded() from time to time.
void EndWithCollector(pid_t collector, bool may_start_thread);

// Ends this process if nobody is left that reads from what TakeResultDescriptor returned.
void EndIfCollectorHasEnded();

// A descriptor, and the file that it stands for at first: something in the process may close it,
// and open another file with its number.
struct KnownFile {
  explicit KnownFile(int descriptor);
  // Safe in signal handlers.
  bool IsStill() const;
  // Writes all of `bytes`, waiting while a pipe is full. FailedPrecondition, and nothing is
  // written, if it is another file.
  absl::Status Write(absl::string_view bytes) const;

  int fd;
  uint64_t device = 0;
  uint64_t inode = 0;
};

// Makes `fd` the result descriptor of this process.
void AdoptResultDescriptor(int fd);

// The descriptor named by the environment variable `variable`. The variable is removed and the
// descriptor closed on exec, so that programs started by the child do not use them. NotFound: the
// variable is not set, so this process was not started by RunSelf. InvalidArgument: its value is
// not an open descriptor. Call it before there are threads.
absl::StatusOr<int> TakeResultDescriptor(const std::string& variable);

// KnownFile::Write of the descriptor that TakeResultDescriptor returned.
absl::Status WriteResult(int fd, absl::string_view bytes);

// True if `fd` still is the descriptor that TakeResultDescriptor returned. Safe in signal handlers.
bool IsResultDescriptor(int fd);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_SUBPROCESS_H_
