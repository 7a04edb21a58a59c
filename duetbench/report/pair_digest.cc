#include "duetbench/report/pair_digest.h"

#include <algorithm>
#include <vector>

namespace duetbench {
namespace {

// The pairs of a run that have times and were not samples of a variant alone.
std::vector<stats::ShownPair> TimedPairs(const RunResult& run, bool cpu_time, double ns_per_tick) {
  std::vector<stats::ShownPair> pairs;
  for (const PairRecord& pair : run.pairs) {
    if ((pair.flags & (kNoTime | kAlone)) != 0) continue;
    stats::ShownPair shown;
    shown.disturbed =
        (pair.flags & (kOldPreempted | kNewPreempted | kOldMigrated | kNewMigrated)) != 0;
    for (int v = 0; v < 2; ++v) {
      const double ns = cpu_time ? pair.cpu_ns[v] : pair.ticks[v] * ns_per_tick;
      shown.time[v] = ns / static_cast<double>(std::max<uint64_t>(1, pair.iterations[v]));
    }
    if (shown.time[0] > 0 && shown.time[1] > 0) pairs.push_back(shown);
  }
  return pairs;
}

}  // namespace

stats::PairDigest DigestOfExperiment(const Comparison& result, double ns_per_tick) {
  const Estimate* const estimate = result.estimate();
  if (estimate == nullptr) return {};
  stats::PairDigest digest = stats::DigestOfPairs(estimate->run_pairs);
  std::vector<std::vector<stats::ShownPair>> runs;
  for (const RunResult& run : result.results) {
    runs.push_back(TimedPairs(run, result.cpu_time, ns_per_tick));
  }
  digest.picture = stats::PictureOfMiddleRun(runs);
  return digest;
}

}  // namespace duetbench
