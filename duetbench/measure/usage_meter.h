#ifndef DUETBENCH_MEASURE_USAGE_METER_H_
#define DUETBENCH_MEASURE_USAGE_METER_H_

#include <cstdint>

#include "duetbench/platform/thread.h"
#include "duetbench/record/sample.h"

namespace duetbench {

// Effects of the kernel on the calling thread in a sample: context switches, page faults, and the
// time off the CPU while it is timed. Counted from the arrival at the meeting before the sample to
// its end, in which nothing but the sample may make the thread sleep.
//
// The clock is not read at the start of the sample, where 0.6 µs would part the two variants. Off
// the CPU for no longer than the thread waited at the meeting, and iterated untimed, counts as in
// the meeting, for longer as in the sample: preemptions last for milliseconds, and those who wait
// spin for 0.2 ms. Who waited for longer than that was off the CPU in the meeting, too.
class UsageMeter {
 public:
  explicit UsageMeter(double ns_per_tick) : ns_per_tick_(ns_per_tick) {}

  // Reads the kernel's counters and the thread's clock; 1 µs.
  void Arrive();
  // The thread stops or resumes timing; both are called outside of the timed region. Once an
  // iteration has blocked they read the thread's clock, 0.6 µs.
  void Pause();
  void Resume();
  // True if an iteration was seen to block.
  bool has_blocked() const { return has_blocked_; }
  // Puts what was counted since the last arrival into a sample that ended at `stop`.
  void Stop(uint64_t stop, Sample* sample);

 private:
  // The thread's clock at an instant.
  struct Reading {
    uint64_t ticks;
    uint64_t cpu_ns;
  };
  static Reading Read();
  double OffCpuNs(const Reading& from, const Reading& to) const;

  const double ns_per_tick_;
  bool has_blocked_ = false;
  ThreadUsage arrival_usage_{};
  Reading arrival_{};
  bool paused_ = false;
  bool pause_is_metered_ = false;  // `pause_begin_` was read
  Reading pause_begin_{};
  double paused_off_cpu_ns_ = 0;  // since the arrival
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_USAGE_METER_H_
