#include "duetbench/decision/layouts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

std::map<int, std::vector<double>> ValuesByLayout(absl::Span<const double> values,
                                                  absl::Span<const int> layouts) {
  Require(values.size() == layouts.size(), "each run has a layout");
  std::map<int, std::vector<double>> groups;
  for (std::size_t i = 0; i < values.size(); ++i) groups[layouts[i]].push_back(values[i]);
  return groups;
}

}  // namespace

std::vector<double> LayoutMeans(absl::Span<const double> values, absl::Span<const int> layouts) {
  std::vector<double> means;
  for (const auto& [layout, group] : ValuesByLayout(values, layouts)) means.push_back(Mean(group));
  return means;
}

LayoutSpread ComputeLayoutSpread(absl::Span<const double> values, absl::Span<const int> layouts) {
  const std::map<int, std::vector<double>> groups = ValuesByLayout(values, layouts);
  Require(groups.size() >= 2, "a spread of layouts needs two of them");
  LayoutSpread spread;
  spread.layouts = static_cast<int>(groups.size());
  const double mean_of_layouts = Mean(LayoutMeans(values, layouts));
  if (const auto own = groups.find(0); own != groups.end()) {
    spread.own_effect = Mean(own->second) - mean_of_layouts;
  }
  const auto k = static_cast<double>(groups.size());
  const auto n = static_cast<double>(values.size());
  if (values.size() == groups.size()) return spread;
  const double mean = Mean(values);
  double within = 0;
  double between = 0;
  double squared_sizes = 0;
  for (const auto& [layout, group] : groups) {
    const auto size = static_cast<double>(group.size());
    const double mean_of_group = Mean(group);
    for (const double value : group) within += (value - mean_of_group) * (value - mean_of_group);
    between += size * (mean_of_group - mean) * (mean_of_group - mean);
    squared_sizes += size * size;
  }
  const double within_variance = within / (n - k);
  const double runs_of_layout = (n - squared_sizes / n) / (k - 1);
  spread.run_sd = std::sqrt(within_variance);
  spread.layout_sd =
      std::sqrt(std::max(0.0, (between / (k - 1) - within_variance) / runs_of_layout));
  return spread;
}

}  // namespace duetbench::stats
