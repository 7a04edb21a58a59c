#ifndef DUETBENCH_DECIDE_TIME_ACCOUNT_H_
#define DUETBENCH_DECIDE_TIME_ACCOUNT_H_

#include "duetbench/record/plan.h"
#include "duetbench/record/run_result.h"

namespace duetbench {

// Where the wall time of an experiment went, in nanoseconds. Where variants run on two CPUs at the
// same time, a nanosecond in which one of them is idle counts half as waiting.
struct TimeAccount {
  double wall_ns = 0;    // from the start of each process to its end
  double pilots_ns = 0;  // processes that calibrate, or were given up
  // Times of the other processes:
  double start_ns = 0;       // start and end
  double set_up_ns = 0;      // of the variants
  double unmeasured_ns = 0;  // samples of calibration and warm-up, and after swaps
  double alone_ns = 0;       // samples that only show whether the variants disturb each other
  double dropped_ns = 0;     // samples of disturbed pairs
  double kept_ns = 0;        // samples of undisturbed pairs

  // Around the loops of variants that are called anew for each sample, in set-up and tear-down; and
  // in the pauses of samples.
  double call_set_ups_ns = 0;

  // The rest: for the partner, for a CPU, for the other variant's turn to end.
  double waiting_ns() const {
    return wall_ns - pilots_ns - start_ns - set_up_ns - call_set_ups_ns - unmeasured_ns - alone_ns -
           dropped_ns - kept_ns;
  }

  // A run whose process took `process_ns`; 0: it was in this process. Where variants report their
  // time themselves, what its samples took is not known (NaN).
  void AddRun(const RunResult& result, double process_ns, const RunPlan& plan);

  // All runs so far are counted as pilots.
  void EndPilots();
};

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_TIME_ACCOUNT_H_
