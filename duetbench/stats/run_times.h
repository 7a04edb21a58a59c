#ifndef DUETBENCH_STATS_RUN_TIMES_H_
#define DUETBENCH_STATS_RUN_TIMES_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/stats/pairs.h"

namespace duetbench::stats {

// The times of one run in short, in the unit of its pairs. Arrays are indexed by variant, 0 old and
// 1 new.
struct RunTimes {
  double mean[2] = {0, 0};  // over the pairs; both assignments with equal weight
  std::size_t pairs = 0;
};

// Of each run; all 0 of a run without pairs. O(pairs).
std::vector<RunTimes> MeanTimesOfRuns(absl::Span<const RunPairs> runs);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_RUN_TIMES_H_
