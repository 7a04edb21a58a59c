#ifndef DUETBENCH_PLATFORM_THREAD_USAGE_H_
#define DUETBENCH_PLATFORM_THREAD_USAGE_H_

#include <cstdint>

namespace duetbench {

// What the kernel has counted for the calling thread since it was created.
struct ThreadUsage {
  uint64_t cpu_time_us = 0;           // user + system, in microseconds
  uint64_t involuntary_switches = 0;  // the thread was preempted
  uint64_t voluntary_switches = 0;    // the thread blocked
  uint64_t minor_faults = 0;
  uint64_t major_faults = 0;
};

// One system call, 310-400 ns: outside of timed regions only. (The CPU time of the same call is not
// offered: the kernel brings it up to date only now and then, 4 ms apart.)
ThreadUsage ThisThreadUsage();

// Whether this system counts them for each thread; if not, they are 0.
bool ThreadUsageIsCounted();

// CPU time of the calling thread, in nanoseconds; 520-650 ns.
uint64_t ThisThreadCpuNs();

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_THREAD_USAGE_H_
