#ifndef DUETBENCH_EXPERIMENT_USAGE_METER_H_
#define DUETBENCH_EXPERIMENT_USAGE_METER_H_

#include <cstdint>

#include "duetbench/experiment/sample.h"
#include "duetbench/platform/thread.h"

namespace duetbench {

// What the kernel does to the calling thread in a sample: context switches, page faults, and the
// time off the CPU. From the arrival at the meeting before the sample to its end, in which nothing
// but the sample may make the thread sleep.
class UsageMeter {
 public:
  explicit UsageMeter(double ns_per_tick) : ns_per_tick_(ns_per_tick) {}

  // Reads the kernel's counters; 0.4 µs, 1 µs once an iteration has blocked.
  void Arrive();
  // Puts what was counted since the last arrival into a sample that ended at `stop`.
  void Stop(uint64_t stop, Sample* sample);

 private:
  const double ns_per_tick_;
  // An iteration has blocked, or the system does not count that. A thread that neither sleeps nor
  // is preempted has a CPU time equal to its real time, and needs no clock for it.
  bool may_block_ = !ThreadUsageIsCounted();
  ThreadUsage arrival_{};
  uint64_t arrival_ticks_ = 0;  // with the CPU time below; 0: not taken
  uint64_t arrival_cpu_ns_ = 0;
};

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_USAGE_METER_H_
