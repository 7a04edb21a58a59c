#include "duetbench/platform/stand_ins.h"
#include "duetbench/platform/thread_usage.h"

#if DUETBENCH_STAND_INS

#include <ctime>

namespace duetbench {

// POSIX counts preemptions and faults for whole processes only: nothing is counted, and no pair is
// dropped for what was not seen.
ThreadUsage ThisThreadUsage() { return {}; }

uint64_t ThisThreadCpuNs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace duetbench

#endif
