#ifndef DUETBENCH_PLATFORM_CHILD_PROCESS_H_
#define DUETBENCH_PLATFORM_CHILD_PROCESS_H_

#include <sys/types.h>

#include <chrono>

#include "absl/status/statusor.h"

// Operations of a parent on a child that may do anything, by its process id. They look whether it
// has ended, end it, and reap it, and never wait for a child that does not end.
namespace duetbench {

// The end of a process.
struct ProcessEnd {
  bool by_signal = false;
  int value = 0;  // the exit status, or the signal
};

// True if the child `pid` has ended and can be reaped, or something else has reaped it. About 1 µs.
bool HasEnded(pid_t pid);

// True if the process is stopped or traced, where /proc tells.
bool IsStopped(pid_t pid);

// Kills the process and the process group of that number. The process may have left the group; then
// nothing else is killed in the group that it has joined.
void KillWithGroup(pid_t pid);

// Reaps the child, which has ended or was killed. Errors: Internal, when something else has reaped
// it; DeadlineExceeded, when it has not ended within `patience`: the kernel waits for a device on
// its behalf, or a debugger holds it.
absl::StatusOr<ProcessEnd> Reap(pid_t pid, std::chrono::nanoseconds patience);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_CHILD_PROCESS_H_
