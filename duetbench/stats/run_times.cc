#include "duetbench/stats/run_times.h"

namespace duetbench::stats {

std::vector<RunTimes> MeanTimesOfRuns(absl::Span<const RunPairs> runs) {
  std::vector<RunTimes> result;
  for (const RunPairs& run : runs) {
    double sums[2][2] = {};  // by assignment, by variant
    double counts[2] = {0, 0};
    for (const Pair& pair : run) {
      sums[pair.assignment][0] += pair.old_time;
      sums[pair.assignment][1] += pair.new_time;
      counts[pair.assignment] += 1;
    }
    RunTimes times;
    times.pairs = run.size();
    const double present = (counts[0] > 0 ? 1 : 0) + (counts[1] > 0 ? 1 : 0);
    for (int assignment = 0; assignment < 2; ++assignment) {
      if (counts[assignment] == 0) continue;
      for (int variant = 0; variant < 2; ++variant) {
        times.mean[variant] += sums[assignment][variant] / counts[assignment] / present;
      }
    }
    result.push_back(times);
  }
  return result;
}

}  // namespace duetbench::stats
