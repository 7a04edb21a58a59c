#ifndef DUETBENCH_RECORD_PAIR_RECORDS_H_
#define DUETBENCH_RECORD_PAIR_RECORDS_H_

// From the samples of both variants to the pairs of a run: pure arithmetic. `overhead_ticks` is the
// length of an empty timed region.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/run_result.h"

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
  uint8_t solo;           // 1: nothing else of the run was being executed
  uint32_t minor_faults;  // between arrival and stop
  uint32_t major_faults;
  uint32_t probe_ticks;  // SpeedProbeTicks() before it; 0: there was no probe
};

// The pairs for which there are samples of both variants, in their order; so are the samples given.
std::vector<PairRecord> MakePairs(absl::Span<const Sample> old_samples,
                                  absl::Span<const Sample> new_samples, const RunPlan& plan,
                                  uint64_t overhead_ticks);

// Net seconds per iteration of one variant: the 10 %-trimmed mean over the samples in which it was
// not preempted, or over all if it always was; 0 if there are none.
double SecondsPerIteration(const Sample* samples, size_t count, const RunPlan& plan,
                           uint64_t overhead_ticks);

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_PAIR_RECORDS_H_
