#include "duetbench/decide/clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kMinValues = 6;
constexpr std::size_t kMinMembers = 3;
// Cuts that are tried for three groups: those at the largest gaps.
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

// Two of three groups together are too wide for a split in two to stand out.
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
    const double threshold = ClusterThreshold(sorted.size());
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

}  // namespace

double ClusterThreshold(std::size_t n) {
  Require(n >= kMinValues, "ClusterThreshold: fewer than six values");
  return std::max(5.5, 44 / (static_cast<double>(n) - 2));
}

std::vector<Cluster> FindClusters(absl::Span<const double> values) {
  std::vector<Cluster> clusters;
  if (values.empty()) return clusters;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  Search(sorted, clusters);
  return clusters;
}

}  // namespace duetbench::stats
