#ifndef DUETBENCH_RECORD_SAMPLE_H_
#define DUETBENCH_RECORD_SAMPLE_H_

#include <cstdint>
#include <type_traits>

namespace duetbench {

// The record of one measured sample. Written by the thread of its variant only; times in ticks.
struct Sample {
  uint64_t pair_index;  // counted from the start of the run, unmeasured ones included
  uint64_t start;       // stamp after the release
  uint64_t stop;        // stamp after the last iteration
  uint64_t paused;      // part of [start, stop] between PauseTiming and ResumeTiming
  uint64_t iterations;
  double manual_seconds;  // sum of SetIterationTime
  double blocked_ns;      // timed part of [start, stop] in which the thread was off its CPU
  uint16_t cpu_at_start;
  uint16_t cpu_at_stop;
  uint16_t involuntary_switches;  // between arrival and stop
  uint16_t voluntary_switches;
  uint32_t block;
  uint8_t assignment;     // 0: old on cpus[0] (one CPU: old first); 1: the reverse
  uint8_t alone;          // 1: nothing else of the run was being executed
  uint32_t minor_faults;  // between arrival and stop
  uint32_t major_faults;
  uint32_t probe_ticks;  // SpeedProbeTicks() before it; 0: there was no probe
};
static_assert(std::is_trivially_copyable_v<Sample>);

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_SAMPLE_H_
