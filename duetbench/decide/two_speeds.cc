#include "duetbench/decide/two_speeds.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "duetbench/decide/clusters.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kPartsOfRun = 8;
constexpr std::size_t kMinPairsOfPart = 8;  // for a median that single slow samples do not move

// Consecutive pairs, as medians.
struct Part {
  double log_time[2];
  double log_ratio;
  double slower[2];  // log_time less that of the fastest part of its run
};

Part PartOf(absl::Span<const Pair> pairs) {
  std::vector<double> times[2];
  std::vector<double> log_ratios;
  for (const Pair& pair : pairs) {
    times[0].push_back(pair.old_time);
    times[1].push_back(pair.new_time);
    log_ratios.push_back(std::log(pair.new_time / pair.old_time));
  }
  return {{std::log(Median(std::move(times[0]))), std::log(Median(std::move(times[1])))},
          Median(std::move(log_ratios)),
          {0, 0}};
}

// A run is measured in one layout of code and memory.
void AddPartsOfRun(const RunPairs& pairs, std::vector<Part>* parts) {
  const std::size_t count = std::clamp<std::size_t>(pairs.size() / kMinPairsOfPart, 1, kPartsOfRun);
  const std::size_t first = parts->size();
  double fastest[2] = {std::numeric_limits<double>::infinity(),
                       std::numeric_limits<double>::infinity()};
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t begin = pairs.size() * k / count;
    const std::size_t end = pairs.size() * (k + 1) / count;
    parts->push_back(PartOf(absl::MakeConstSpan(pairs).subspan(begin, end - begin)));
    for (int v = 0; v < 2; ++v) {
      fastest[v] = std::min(fastest[v], parts->back().log_time[v]);
    }
  }
  for (std::size_t k = first; k < parts->size(); ++k) {
    Part& part = (*parts)[k];
    for (int v = 0; v < 2; ++v) part.slower[v] = part.log_time[v] - fastest[v];
  }
}

std::vector<Part> PartsOf(absl::Span<const RunPairs> runs) {
  std::vector<Part> parts;
  for (const RunPairs& run : runs) AddPartsOfRun(run, &parts);
  return parts;
}

// The widest gap between neighboring clusters separates the speeds. Nothing: there is one cluster.
std::optional<double> Boundary(const std::vector<Part>& parts, int variant) {
  std::vector<double> slower;
  for (const Part& part : parts) slower.push_back(part.slower[variant]);
  const std::vector<Cluster> clusters = FindClusters(slower);
  if (clusters.size() < 2) return std::nullopt;
  std::size_t widest = 1;
  const auto gap = [&](std::size_t i) { return clusters[i].center - clusters[i - 1].center; };
  for (std::size_t i = 2; i < clusters.size(); ++i) {
    if (gap(i) > gap(widest)) widest = i;
  }
  return (clusters[widest].center + clusters[widest - 1].center) / 2;
}

TwoSpeeds SpeedsOf(const std::vector<Part>& parts, int variant, double boundary) {
  TwoSpeeds speeds;
  speeds.variant = variant;
  for (int slow = 0; slow < 2; ++slow) {
    std::vector<double> log_times;
    std::vector<double> log_ratios;
    for (const Part& part : parts) {
      if ((part.slower[variant] > boundary) != (slow == 1)) continue;
      log_times.push_back(part.log_time[variant]);
      log_ratios.push_back(part.log_ratio);
    }
    speeds.share[slow] = static_cast<double>(log_ratios.size()) / static_cast<double>(parts.size());
    speeds.time[slow] = std::exp(Median(std::move(log_times)));
    speeds.ratio[slow] = std::exp(Median(std::move(log_ratios)));
  }
  return speeds;
}

}  // namespace

std::optional<TwoSpeeds> FindTwoSpeeds(absl::Span<const RunPairs> runs, double least) {
  const std::vector<Part> parts = PartsOf(runs);
  std::optional<TwoSpeeds> found;
  for (int variant = 0; variant < 2; ++variant) {
    const std::optional<double> boundary = Boundary(parts, variant);
    if (!boundary.has_value()) continue;
    const TwoSpeeds speeds = SpeedsOf(parts, variant, *boundary);
    if (std::abs(std::log(speeds.ratio[1] / speeds.ratio[0])) < least) continue;
    const bool is_farther =
        !found.has_value() || speeds.time[1] / speeds.time[0] > found->time[1] / found->time[0];
    if (is_farther) found = speeds;
  }
  return found;
}

}  // namespace duetbench::stats
