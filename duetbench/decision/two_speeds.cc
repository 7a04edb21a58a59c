#include "duetbench/decision/two_speeds.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "duetbench/decision/diagnosis.h"
#include "duetbench/stats/clusters.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kPartsOfUnit = 8;
constexpr std::size_t kMinPairsOfPart = 8;  // for a median that single slow samples do not move

// Consecutive pairs, as medians.
struct Part {
  double log_time[2];
  double log_ratio;
  int unit;  // number of the round, over all runs: what was set up once
};

Part PartOf(absl::Span<const Pair> pairs, int unit) {
  std::vector<double> times[2];
  std::vector<double> log_ratios;
  for (const Pair& pair : pairs) {
    times[0].push_back(pair.old_time);
    times[1].push_back(pair.new_time);
    log_ratios.push_back(std::log(pair.new_time / pair.old_time));
  }
  return {{std::log(Median(std::move(times[0]))), std::log(Median(std::move(times[1])))},
          Median(std::move(log_ratios)),
          unit};
}

void AddPartsOfUnit(absl::Span<const Pair> pairs, int unit, std::vector<Part>* parts) {
  const std::size_t count =
      std::clamp<std::size_t>(pairs.size() / kMinPairsOfPart, 1, kPartsOfUnit);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t begin = pairs.size() * k / count;
    const std::size_t end = pairs.size() * (k + 1) / count;
    parts->push_back(PartOf(pairs.subspan(begin, end - begin), unit));
  }
}

std::vector<Part> PartsOf(absl::Span<const RunPairs> runs) {
  std::vector<Part> parts;
  int unit = 0;
  for (const RunPairs& run : runs) {
    for (std::size_t begin = 0; begin < run.size(); ++unit) {
      std::size_t end = begin;
      while (end < run.size() && run[end].round == run[begin].round) ++end;
      AddPartsOfUnit(absl::MakeConstSpan(run).subspan(begin, end - begin), unit, &parts);
      begin = end;
    }
  }
  return parts;
}

// The probability of at most `stretches` of equal values in a random order of `a` and `b` values
// (Wald and Wolfowitz, Annals of Mathematical Statistics 1940).
double FewStretchesP(int stretches, int a, int b) {
  const auto log_choose = [](int n, int k) {
    if (k < 0 || k > n) return -std::numeric_limits<double>::infinity();
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
  };
  const double all = log_choose(a + b, a);
  double p = 0;
  for (int r = 2; r <= stretches; ++r) {
    const int half = r / 2;
    if (r % 2 == 0) {
      p += 2 * std::exp(log_choose(a - 1, half - 1) + log_choose(b - 1, half - 1) - all);
    } else {
      p += std::exp(log_choose(a - 1, half) + log_choose(b - 1, half - 1) - all) +
           std::exp(log_choose(a - 1, half - 1) + log_choose(b - 1, half) - all);
    }
  }
  return p;
}

// The speed is no property of what was set up: it changes within a round, or lasts over several
// runs more often than chance explains. Where each round draws its speed anew, as with memory
// layouts, the spread of the runs contains it.
bool LastsBesideRuns(const std::vector<Part>& parts, int variant, double boundary) {
  int counts[2] = {0, 0};
  int stretches = 0;
  int last = -1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const int speed = parts[i].log_time[variant] > boundary ? 1 : 0;
    if (i > 0 && parts[i].unit == parts[i - 1].unit) {
      if (speed != last) return true;
      continue;
    }
    ++counts[speed];
    if (speed != last) ++stretches;
    last = speed;
  }
  return FewStretchesP(stretches, counts[0], counts[1]) <= kDiagnosisAlpha;
}

// The widest gap between neighboring clusters separates the speeds. Nothing: there is one cluster.
std::optional<double> Boundary(const std::vector<Part>& parts, int variant) {
  std::vector<double> log_times;
  for (const Part& part : parts) log_times.push_back(part.log_time[variant]);
  const std::vector<Cluster> clusters = FindClusters(log_times);
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
      if ((part.log_time[variant] > boundary) != (slow == 1)) continue;
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
    if (!boundary.has_value() || !LastsBesideRuns(parts, variant, *boundary)) continue;
    const TwoSpeeds speeds = SpeedsOf(parts, variant, *boundary);
    if (std::abs(std::log(speeds.ratio[1] / speeds.ratio[0])) < least) continue;
    const bool is_farther =
        !found.has_value() || speeds.time[1] / speeds.time[0] > found->time[1] / found->time[0];
    if (is_farther) found = speeds;
  }
  return found;
}

}  // namespace duetbench::stats
