#include "duetbench/decide/two_speeds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kMinValues = 6;
constexpr std::size_t kMinMembers = 3;
// Cuts that are tried for three clusters: those at the largest gaps.
constexpr std::size_t kMaxCuts = 64;

// Values in ascending order, and the standard deviation of any stretch of them.
class Ordered {
 public:
  explicit Ordered(absl::Span<const double> sorted) : values_(sorted) {
    // Centred, so that the squares do not cancel.
    const double center = Mean(sorted);
    sums_.push_back(0);
    squares_.push_back(0);
    for (const double value : sorted) {
      const double distance = value - center;
      sums_.push_back(sums_.back() + distance);
      squares_.push_back(squares_.back() + distance * distance);
    }
  }

  std::size_t size() const { return values_.size(); }

  double Gap(std::size_t cut) const { return values_[cut] - values_[cut - 1]; }

  double Deviation(std::size_t begin, std::size_t end) const {
    const auto n = static_cast<double>(end - begin);
    const double sum = sums_[end] - sums_[begin];
    const double squares = squares_[end] - squares_[begin] - sum * sum / n;
    return std::sqrt(std::max(0.0, squares) / (n - 1));
  }

 private:
  absl::Span<const double> values_;
  std::vector<double> sums_;     // of the first 0, 1, ... values
  std::vector<double> squares_;  // likewise
};

// Where to cut, and the smallest gap cut over the largest standard deviation of the parts.
struct Split {
  std::vector<std::size_t> cuts;
  double strength = 0;
};

double Strength(double gap, double spread) {
  if (spread > 0) return gap / spread;
  return gap > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

std::size_t LeastMembers(std::size_t n) { return std::max(kMinMembers, (n + 9) / 10); }

Split StrongestSplitInTwo(const Ordered& ordered) {
  const std::size_t n = ordered.size();
  const std::size_t least = LeastMembers(n);
  Split strongest;
  for (std::size_t cut = least; cut + least <= n; ++cut) {
    const double spread = std::max(ordered.Deviation(0, cut), ordered.Deviation(cut, n));
    const double strength = Strength(ordered.Gap(cut), spread);
    if (strength > strongest.strength) strongest = {{cut}, strength};
  }
  return strongest;
}

// Two of three clusters together are too wide for a split in two to stand out.
Split StrongestSplitInThree(const Ordered& ordered) {
  const std::size_t n = ordered.size();
  const std::size_t least = LeastMembers(n);
  Split strongest;
  if (n < 3 * least) return strongest;
  std::vector<std::size_t> cuts;
  for (std::size_t cut = least; cut + least <= n; ++cut) cuts.push_back(cut);
  if (cuts.size() > kMaxCuts) {
    std::nth_element(cuts.begin(), cuts.begin() + kMaxCuts, cuts.end(),
                     [&](std::size_t a, std::size_t b) { return ordered.Gap(a) > ordered.Gap(b); });
    cuts.resize(kMaxCuts);
    std::sort(cuts.begin(), cuts.end());
  }
  for (const std::size_t first : cuts) {
    for (const std::size_t second : cuts) {
      if (second < first + least) continue;
      const double gap = std::min(ordered.Gap(first), ordered.Gap(second));
      const double spread = std::max({ordered.Deviation(0, first), ordered.Deviation(first, second),
                                      ordered.Deviation(second, n)});
      const double strength = Strength(gap, spread);
      if (strength > strongest.strength) strongest = {{first, second}, strength};
    }
  }
  return strongest;
}

void Search(absl::Span<const double> sorted, std::vector<Cluster>& clusters) {
  if (sorted.size() >= kMinValues) {
    const double threshold = std::max(5.5, 44 / (static_cast<double>(sorted.size()) - 2));
    const Ordered ordered(sorted);
    Split split = StrongestSplitInTwo(ordered);
    if (split.strength < threshold) split = StrongestSplitInThree(ordered);
    if (split.strength >= threshold) {
      std::size_t begin = 0;
      for (const std::size_t cut : split.cuts) {
        Search(sorted.subspan(begin, cut - begin), clusters);
        begin = cut;
      }
      Search(sorted.subspan(begin), clusters);
      return;
    }
  }
  clusters.push_back({sorted.size(), Mean(sorted)});
}

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

std::vector<Cluster> FindClusters(absl::Span<const double> values) {
  std::vector<Cluster> clusters;
  if (values.empty()) return clusters;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  Search(sorted, clusters);
  return clusters;
}

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
