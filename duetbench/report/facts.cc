#include "duetbench/report/facts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "duetbench/decide/comparison.h"

namespace duetbench {
namespace {

constexpr size_t kShownPairs = 160;

// The pairs of a run that have times and were not samples of a variant alone.
std::vector<ShownPair> TimedPairs(const RunResult& run, bool cpu_time, double ns_per_tick) {
  std::vector<ShownPair> pairs;
  for (const PairRecord& pair : run.pairs) {
    if ((pair.flags & (kNoTime | kAlone)) != 0) continue;
    ShownPair shown;
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

// The mean over the undisturbed pairs; 0 if there are none.
double MeanLogRatio(absl::Span<const ShownPair> pairs) {
  double sum = 0;
  int count = 0;
  for (const ShownPair& pair : pairs) {
    if (pair.disturbed) continue;
    sum += std::log(pair.time[1] / pair.time[0]);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

RunPicture PictureOfRun(size_t run, absl::Span<const ShownPair> pairs, size_t most) {
  RunPicture picture;
  picture.run = run;
  picture.pairs = pairs.size();
  picture.step = std::max<size_t>(1, (pairs.size() + most - 1) / most);
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (i % picture.step == 0) {
      picture.shown.push_back(pairs[i]);
    } else {
      picture.shown.back().disturbed |= pairs[i].disturbed;
    }
    if (pairs[i].disturbed) ++picture.disturbed;
  }
  return picture;
}

RunPicture PictureOfMiddleRun(const Comparison& result, double ns_per_tick) {
  if (result.estimate() == nullptr) return {};
  std::vector<std::vector<ShownPair>> runs;
  std::vector<std::pair<double, size_t>> ratios;
  for (const RunResult& run : result.results) {
    runs.push_back(TimedPairs(run, result.cpu_time, ns_per_tick));
    if (!runs.back().empty()) ratios.emplace_back(MeanLogRatio(runs.back()), runs.size() - 1);
  }
  if (ratios.empty()) return {};
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return PictureOfRun(middle->second, runs[middle->second], kShownPairs);
}

}  // namespace duetbench
