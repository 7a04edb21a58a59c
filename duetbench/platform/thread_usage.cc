#include "duetbench/platform/thread_usage.h"

#include <ctime>

#include "duetbench/platform/stand_ins.h"

#if !DUETBENCH_STAND_INS
#include <sys/resource.h>
#endif

namespace duetbench {

#if !DUETBENCH_STAND_INS
ThreadUsage ThisThreadUsage() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  ThreadUsage result;
  result.involuntary_switches = static_cast<uint64_t>(usage.ru_nivcsw);
  result.voluntary_switches = static_cast<uint64_t>(usage.ru_nvcsw);
  result.minor_faults = static_cast<uint64_t>(usage.ru_minflt);
  result.major_faults = static_cast<uint64_t>(usage.ru_majflt);
  return result;
}

bool ThreadUsageIsCounted() { return true; }
#endif

// POSIX has it: no stand-in is needed.
uint64_t ThisThreadCpuNs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace duetbench
