#ifndef DUETBENCH_MEASURE_USAGE_METER_H_
#define DUETBENCH_MEASURE_USAGE_METER_H_

#include <benchmark/benchmark.h>

#include <cstdint>

#include "duetbench/measure/shared_block.h"
#include "duetbench/platform/thread.h"
#include "duetbench/record/pair_records.h"

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
  // `shares_cpu`: the partner has the CPU meanwhile, in pauses, too.
  explicit UsageMeter(double ns_per_tick, bool shares_cpu = false)
      : ns_per_tick_(ns_per_tick), has_blocked_(shares_cpu) {}

  // Reads the kernel's counters and the thread's clock; 1 µs.
  void Arrive();
  // The thread stops or resumes timing; both are called outside of the timed region. Once an
  // iteration has blocked they read the thread's clock, 0.6 µs.
  void Pause();
  void Resume();
  // True if an iteration was seen to block, or shares the CPU.
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
  bool has_blocked_;
  ThreadUsage arrival_usage_{};
  Reading arrival_{};
  bool paused_ = false;
  bool pause_is_metered_ = false;  // `pause_begin_` was read
  Reading pause_begin_{};
  double paused_off_cpu_ns_ = 0;  // since the arrival
};

// Counts the allocations of one variant in iterations after the measured ones. A memory manager
// counts those of the whole process: when all loops are done old executes a few iterations while
// the others wait, then new does, all still within their loops; in a group each variant in turn.
class AllocationCounting {
 public:
  // `manager` may be null: then nothing is counted.
  AllocationCounting(benchmark::MemoryManager* manager, int variant, uint32_t variants,
                     SharedBlock* block)
      : manager_(manager),
        turn_(static_cast<uint32_t>(variant)),
        variants_(variants),
        block_(block) {}

  // The loop has completed its samples. Waits for its turn and starts to count. Returns how many
  // iterations to execute, not more than `batch`; 0: none.
  uint64_t Begin(uint64_t batch);
  // Call it after Begin, when `iterations` were executed: ends the count and this variant's turn.
  void End(uint64_t iterations);

  bool is_counting() const { return is_counting_; }
  uint64_t allocations() const { return allocations_; }
  uint64_t iterations() const { return iterations_; }  // 0: none were counted
  // The most bytes that were allocated at once in these iterations; -1: the manager does not tell.
  double peak_bytes() const { return peak_bytes_; }

 private:
  benchmark::MemoryManager* const manager_;
  const uint32_t turn_;
  const uint32_t variants_;
  SharedBlock* const block_;
  bool is_counting_ = false;
  uint64_t allocations_ = 0;
  uint64_t iterations_ = 0;
  double peak_bytes_ = -1;
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_USAGE_METER_H_
