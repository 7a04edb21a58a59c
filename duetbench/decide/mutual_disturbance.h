#ifndef DUETBENCH_DECIDE_MUTUAL_DISTURBANCE_H_
#define DUETBENCH_DECIDE_MUTUAL_DISTURBANCE_H_

#include <optional>

#include "absl/types/span.h"
#include "duetbench/record/run_result.h"

namespace duetbench {

// Effect of the variants on each other's time, estimated from the solo segments of the runs.
// Concurrent variants share locks, cache lines, interrupts for unmapped pages, and memory
// bandwidth; variants in turns find what the other one left in the caches. "Together" is either of
// them.
struct MutualDisturbance {
  double ratio_solo = 1;  // new / old where one variant ran at a time
  double ratio_together = 1;
  double p = 1;  // of 'both ratios are the same': a t test of the runs' differences
  // ln of the time of a variant together over its solo time, the median of the runs: the larger
  // one.
  double slower = 0;
};

// From the runs of a schedule that has such segments; of a single one p is 1. Nothing where no run
// has pairs of both kinds, or several do not differ. Times are real times.
std::optional<MutualDisturbance> FindMutualDisturbance(absl::Span<const RunResult> results);

// The ratios differ by more than `margin` / 2, and beyond noise: p is at most 0.001. Differences
// below that do not change a verdict.
bool DisturbEachOther(const MutualDisturbance& found, double margin);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_MUTUAL_DISTURBANCE_H_
