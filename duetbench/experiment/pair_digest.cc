#include "duetbench/experiment/pair_digest.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace duetbench {
namespace {

constexpr size_t kShownPairs = 160;

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

// The mean ln(new/old) of the undisturbed pairs.
double MeanLogRatio(const std::vector<stats::ShownPair>& pairs) {
  double sum = 0;
  int count = 0;
  for (const stats::ShownPair& pair : pairs) {
    if (pair.disturbed) continue;
    sum += std::log(pair.time[1] / pair.time[0]);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

stats::PairDigest DigestOfExperiment(const ExperimentResult& result, double ns_per_tick) {
  const Estimate* const estimate = result.estimate();
  if (estimate == nullptr) return {};
  stats::PairDigest digest = stats::DigestOfPairs(estimate->run_pairs);
  std::vector<std::pair<double, size_t>> runs;  // by their ratio
  for (size_t i = 0; i < result.results.size(); ++i) {
    const auto pairs = TimedPairs(result.results[i], result.cpu_time, ns_per_tick);
    if (!pairs.empty()) runs.emplace_back(MeanLogRatio(pairs), i);
  }
  if (runs.empty()) return digest;
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  std::nth_element(runs.begin(), middle, runs.end());
  digest.picture = stats::PictureOfRun(
      middle->second, TimedPairs(result.results[middle->second], result.cpu_time, ns_per_tick),
      kShownPairs);
  return digest;
}

}  // namespace duetbench
