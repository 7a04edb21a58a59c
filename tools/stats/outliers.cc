#include "tools/stats/outliers.h"

#include <vector>

namespace duetbench::stats {
namespace {

constexpr double kShare = 0.2;

// The two smallest and the two largest values, the positions of the extremes, in one pass.
struct Extremes {
  std::size_t lowest_index = 0;
  std::size_t highest_index = 0;
  double lowest;
  double second_lowest;
  double second_highest;
  double highest;
};

Extremes FindExtremes(absl::Span<const double> values) {
  Extremes e;
  const bool ascending = values[0] <= values[1];
  e.lowest_index = ascending ? 0 : 1;
  e.highest_index = ascending ? 1 : 0;
  // The first of two equal values is the extreme at both ends.
  if (values[0] == values[1]) e.highest_index = 0;
  e.lowest = e.second_highest = values[ascending ? 0 : 1];
  e.highest = e.second_lowest = values[ascending ? 1 : 0];
  for (std::size_t i = 2; i < values.size(); ++i) {
    const double value = values[i];
    if (value < e.lowest) {
      e.second_lowest = e.lowest;
      e.lowest = value;
      e.lowest_index = i;
    } else if (value < e.second_lowest) {
      e.second_lowest = value;
    }
    if (value > e.highest) {
      e.second_highest = e.highest;
      e.highest = value;
      e.highest_index = i;
    } else if (value > e.second_highest) {
      e.second_highest = value;
    }
  }
  return e;
}

}  // namespace

std::optional<Outlier> FindOutlier(absl::Span<const double> values, OutlierRule rule) {
  if (rule == OutlierRule::kNone || values.size() < 3) return std::nullopt;
  const Extremes e = FindExtremes(values);
  const double high_gap = e.highest - e.second_highest;
  const double low_gap = e.second_lowest - e.lowest;
  bool high = false;
  bool low = false;
  if (rule == OutlierRule::kRange20) {
    high = high_gap > kShare * (e.second_highest - e.lowest);
    low = low_gap > kShare * (e.highest - e.second_lowest);
  } else {
    high = e.highest > (1 + kShare) * e.second_highest;
    low = e.lowest < (1 - kShare) * e.second_lowest;
  }
  if (high && (!low || high_gap >= low_gap)) return Outlier{e.highest_index, e.second_highest};
  if (low) return Outlier{e.lowest_index, e.second_lowest};
  return std::nullopt;
}

RunPairs WinsorizeRatios(RunPairs run, OutlierRule rule) {
  std::vector<double> ratios;
  ratios.reserve(run.size());
  for (const Pair& pair : run) ratios.push_back(pair.new_time / pair.old_time);
  if (const std::optional<Outlier> outlier = FindOutlier(ratios, rule)) {
    Pair& pair = run[outlier->index];
    pair.new_time = outlier->replacement * pair.old_time;
  }
  return run;
}

}  // namespace duetbench::stats
