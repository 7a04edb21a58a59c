#ifndef DUETBENCH_PLATFORM_SUBPROCESS_H_
#define DUETBENCH_PLATFORM_SUBPROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace duetbench {

// Running this very program again in a child process: every run of an experiment is one, since
// only a new process has a new memory layout.

struct ChildRequest {
  std::vector<std::string> argv;  // argv[0] included; handed on unchanged
  // Added to the environment of this process, or replacing what stands there.
  std::vector<std::pair<std::string, std::string>> environment;
  // The environment variable that tells the child the number of the descriptor it writes its
  // result to (see TakeResultDescriptor).
  std::string result_fd_variable;
  // On the wall clock, pauses of the whole machine aside (patience.h), from the start of the child
  // to its end; the child is killed then.
  std::chrono::nanoseconds timeout = std::chrono::seconds(60);
  // Whether the child writes to the stdout and stderr of this process. Otherwise the two are
  // captured, and their tail is kept.
  bool forward_output = false;
  // May be null. Set by the handler of SIGINT, say; when it becomes non-zero the child is killed.
  const volatile std::sig_atomic_t* interrupted = nullptr;
  // A child that writes more is out of control, and is killed before it fills the memory.
  size_t max_result_bytes = size_t{1} << 30;
  // What is executed. The link in /proc names the right program even when argv[0] was found
  // through PATH, or when the file has been replaced by a new build in the meantime.
  std::string executable = "/proc/self/exe";
  // Tried when `executable` cannot be executed (no /proc). Empty: argv[0], looked for in PATH.
  std::string fallback_executable;
};

struct ChildOutcome {
  enum class End { kExited, kSignalled, kTimedOut, kInterrupted };
  End end = End::kExited;
  int exit_code = 0;        // of kExited
  int signal = 0;           // of kSignalled
  std::string result;       // all bytes written to the result descriptor, whatever the end was
  std::string output_tail;  // the last <= 4 KiB of stdout and stderr together, if captured
  std::chrono::nanoseconds wall_time{0};  // from before the start of the child to after its end
  std::chrono::nanoseconds timeout{0};    // as requested
};

// Runs this program again as `request` says and returns when the child has ended.
//
// The child gets /dev/null as stdin, and is the leader of a process group of its own. When it has
// ended, in whatever way, what is left of that group is killed, so that nothing it started
// disturbs the next run. Ctrl-C on the terminal therefore reaches this process only, and
// `interrupted` is how it ends the child; that this process itself is killed is what
// DieWithParent() is for. How the child ends is an outcome and not an error: a crash, a time-out
// and an interrupt are told by `end`.
//
// Errors: InvalidArgument (no argv[0]); Unavailable or NotFound, when the child could not be
// started, with the cause; ResourceExhausted when its result was larger than max_result_bytes.
//
// Cost: the child is started by posix_spawn, which does not copy the page tables, however much
// memory this process has. 2.0 ms until its main() when it loads Abseil and the C++ library as
// shared libraries, 0.4 ms when it is linked statically; 0.3 ms for its end. The waiting thread
// sleeps in poll(2); with `interrupted` it looks ten times a second, since the signal may be
// delivered to another thread.
// Thread-safe, and independent of what other threads of the process do. (A SIGCHLD that is ignored
// is set to its default for the time of the call, as the exit status is lost otherwise; only there
// calls at the same time would be in each other's way.)
//
//   ChildRequest request;
//   request.argv = {argv[0], "--run=3"};
//   request.result_fd_variable = "MY_RESULT_FD";
//   absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
absl::StatusOr<ChildOutcome> RunSelf(const ChildRequest& request);

// The predicate of a sentence about a child: "was killed by signal 11 (Segmentation fault)",
// "exited with status 3 before it reported" (no result was written), "exited with status 3",
// "did not finish within 60 s", "was interrupted".
std::string DescribeEnd(const ChildOutcome& outcome);

// The three below are called by the child.

// Has this process killed when the thread that started it ends (the kernel ties it to that thread;
// RunSelf blocks its own). A parent that ended before the call is noticed by `expected_parent` not
// being the parent any more, and this process is killed at once. To be called early in main().
void DieWithParent(pid_t expected_parent);

// The descriptor named by the environment variable `variable`. The variable is removed and the
// descriptor closed on exec, so that programs started by the child neither mistake themselves for
// it nor hold its pipe. NotFound: the variable is not set, this process is nobody's child.
// InvalidArgument: its value is not an open descriptor. To be called before there are threads.
absl::StatusOr<int> TakeResultDescriptor(const std::string& variable);

// Writes all of `bytes`, waiting while the pipe is full.
absl::Status WriteResult(int fd, absl::string_view bytes);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_SUBPROCESS_H_
