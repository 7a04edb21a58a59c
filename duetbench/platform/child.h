#ifndef DUETBENCH_PLATFORM_CHILD_H_
#define DUETBENCH_PLATFORM_CHILD_H_

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "duetbench/platform/spawn.h"
#include "duetbench/platform/subprocess.h"

namespace duetbench {

// stdin of a child process that is to read what every other one reads, too: each run starts the
// program again. A file is opened again, at the place where it was when this process began. What
// can be read only once (a pipe, a socket) is replaced by a line without text; whether the child
// has read it tells that the child needs the data. A terminal is replaced by /dev/null.
class ChildInput {
 public:
  // `is_shared`: as above, else /dev/null. Unavailable if there is none.
  absl::Status Open(bool is_shared);

  int get() const { return input_.get(); }
  // FailedPrecondition if the child has read what stands for a pipe.
  absl::Status Check() const;

 private:
  Descriptor input_;
  bool is_pipe_ = false;
};

// Operations on a child that may do anything, by its process id. They never wait for a child that
// does not end.

// The end of a process.
struct ProcessEnd {
  bool by_signal = false;
  int value = 0;  // the exit status, or the signal
};

// True if the child `pid` has ended and can be reaped, or something else has reaped it. About 1 µs.
bool HasEnded(pid_t pid);

// Reaps the child, which has ended or was killed. Errors: Internal, when something else has reaped
// it; DeadlineExceeded, when it has not ended within `patience`: the kernel waits for a device on
// its behalf, or a debugger holds it.
absl::StatusOr<ProcessEnd> Reap(pid_t pid, std::chrono::nanoseconds patience);

// A child process that has been started, and its pipes. It is killed with its group at the end of
// this object.
class Child {
 public:
  // Errors: those of RunSelf. `request` must live longer than the child.
  static absl::StatusOr<std::unique_ptr<Child>> Start(const ChildRequest& request);

  explicit Child(const ChildRequest& request);
  ~Child();

  pid_t pid() const { return pid_; }
  bool reaped() const { return reaped_; }
  bool HasEndedByItself() const { return HasEnded(pid_); }
  ChildOutcome& outcome() { return outcome_; }
  // It did not do what it was started for.
  bool failed() const {
    return outcome_.end != ChildOutcome::End::kExited || outcome_.exit_code != 0 ||
           outcome_.result.empty();
  }
  bool interrupted() const { return request_.interrupted != nullptr && *request_.interrupted != 0; }

  // The time that the caller may sleep in poll() before it looks again; 0: the child took too long.
  std::chrono::nanoseconds Sleep();

  // Polled() fills in the events to poll for, and takes the answer.
  static constexpr size_t kPolled = 3;
  void Polled(pollfd* polled) const;
  void Read(const pollfd* polled);

  // Ends what is left of the child and its group. `end` is why it is killed; kExited: it has ended.
  absl::Status Finish(ChildOutcome::End end);

 private:
  void AwaitGroup();

  const ChildRequest& request_;
  const std::chrono::steady_clock::time_point start_;
  SuspendAwareDeadline deadline_;
  ChildInput input_;
  Descriptor result_, output_, end_of_child_;
  pid_t pid_ = -1;
  bool reaped_ = false;
  ChildOutcome outcome_;
};

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_CHILD_H_
