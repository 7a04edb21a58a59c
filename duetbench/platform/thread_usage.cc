#include "duetbench/platform/thread_usage.h"

#include <sys/resource.h>

namespace duetbench {

ThreadUsage ThisThreadUsage() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  const auto microseconds = [](const timeval& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000u + static_cast<uint64_t>(time.tv_usec);
  };
  ThreadUsage result;
  result.cpu_time_us = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
  result.involuntary_switches = static_cast<uint64_t>(usage.ru_nivcsw);
  result.voluntary_switches = static_cast<uint64_t>(usage.ru_nvcsw);
  result.minor_faults = static_cast<uint64_t>(usage.ru_minflt);
  result.major_faults = static_cast<uint64_t>(usage.ru_majflt);
  return result;
}

}  // namespace duetbench
