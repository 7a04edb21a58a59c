#ifndef DUETBENCH_PLATFORM_THREAD_H_
#define DUETBENCH_PLATFORM_THREAD_H_

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// The CPUs of threads, and what the kernel counts for each thread.
namespace duetbench {

// The CPUs that this process may use, ascending. Works for machines with more CPUs than a
// cpu_set_t holds (the mask grows until the kernel accepts it).
absl::StatusOr<std::vector<int>> AllowedCpus();

// Moves the calling thread to `cpu` and keeps it there; 7-50 µs when it has to move. Returns when
// the thread runs there. The error names the CPU and the reason.
absl::Status PinThisThread(int cpu);

// Lets the calling thread, and the threads that it starts from now on, use the first `count` of the
// CPUs that it may use: those in `first` before others. If there are fewer, it may use all
// of them, and the error says how many there are.
absl::Status ConfineThisThread(const int (&first)[2], int count);

// The CPU on which the calling thread runs at this moment, or -1 if unknown. 2-20 ns.
int CurrentCpu();

// Calls `work` on another CPU than the one on which `process` runs, if this thread may use one.
// Reads a file of /proc, and moves the calling thread twice.
void ExecuteBeside(pid_t process, const std::function<void()>& work);

// The kernel's counts for the calling thread since it was created.
struct ThreadUsage {
  uint64_t involuntary_switches = 0;  // the thread was preempted
  uint64_t voluntary_switches = 0;    // the thread blocked
  uint64_t minor_faults = 0;
  uint64_t major_faults = 0;
};

// One system call, 310-400 ns: outside of timed regions only. (The CPU time of the same call is
// left out: the kernel updates it only every 4 ms.)
ThreadUsage ThisThreadUsage();

// ns since a thread was created: on a CPU, and ready and waiting for one. 0 where it is not known.
struct SchedulingTimes {
  double running_ns = 0;
  double waiting_ns = 0;

  double waiting_share() const {  // from 0 to 1
    return waiting_ns > 0 ? waiting_ns / (running_ns + waiting_ns) : 0;
  }
};

// Those of "thread-self", or of the main thread of the process with this number, until it is
// reaped. Reads a file of /proc, some ten microseconds.
SchedulingTimes SchedulingTimesOf(const std::string& process);

// Calls `start`: a thread that starts meanwhile gets as much stack as the main thread may use, the
// limit of the process (ulimit -s), or 64 MiB where that is unlimited. The C library has the limit
// at the start of the program, and 2 MiB where there was none. Changes the default of the process:
// no other thread should start one meanwhile.
void WithStacksOfMainThread(const std::function<void()>& start);

// CPU time of the calling thread, in nanoseconds; 520-650 ns.
uint64_t ThisThreadCpuNs();

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_THREAD_H_
