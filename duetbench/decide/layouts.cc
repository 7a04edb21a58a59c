#include "duetbench/decide/layouts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "duetbench/decide/decision_policy.h"
#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/decide/robust_mean.h"
#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

// The runs of each layout that has as many as any, in the order of the first ones.
std::vector<RunGroup> CompleteLayouts(absl::Span<const int> layouts) {
  std::map<int, RunGroup> by_layout;
  std::size_t most = 0;
  for (std::size_t run = 0; run < layouts.size(); ++run) {
    RunGroup& group = by_layout[layouts[run]];
    group.push_back(run);
    most = std::max(most, group.size());
  }
  std::vector<RunGroup> complete;
  for (auto& [layout, group] : by_layout) {
    if (group.size() == most) complete.push_back(std::move(group));
  }
  std::sort(complete.begin(), complete.end());
  return complete;
}

double FTestP(double f, double over, double under) {
  return 2 * std::min(FisherFCdf(over, under, f), FisherFTail(over, under, f));
}

// The variance between layouts is another one than runs that are independent of each other have.
bool LayoutsDiffer(absl::Span<const double> values, absl::Span<const RunGroup> layouts) {
  const std::size_t most_far_off = MostFarOff(values.size());
  const auto runs_of_layout = static_cast<double>(layouts.front().size());
  std::vector<double> deviations;
  for (const RunGroup& layout : layouts) {
    std::vector<double> of_layout;
    for (const std::size_t run : layout) of_layout.push_back(values[run]);
    deviations.push_back(StandardDeviation(of_layout));
  }
  double within = 0;
  for (const double deviation : WithoutFarOff(deviations, most_far_off)) {
    within += deviation * deviation / static_cast<double>(layouts.size());
  }
  const double between =
      runs_of_layout * Variance(WithoutFarOff(GroupMeans(values, layouts), most_far_off));
  if (std::max(within, between) < kRounding * kRounding) return false;
  if (within == 0) return true;
  const auto count = static_cast<double>(layouts.size());
  return FTestP(between / within, count - 1, count * (runs_of_layout - 1)) <=
         kDecision.layout_alpha;
}

}  // namespace

std::vector<RunGroup> IndependentGroups(absl::Span<const double> values,
                                        absl::Span<const int> layouts) {
  Require(values.size() == layouts.size(), "each run has a layout");
  std::vector<RunGroup> complete = CompleteLayouts(layouts);
  const bool are_several = complete.size() >= kDecision.min_layouts && complete[0].size() > 1 &&
                           2 * complete.size() * complete[0].size() >= values.size();
  if (are_several && LayoutsDiffer(values, complete)) return complete;
  std::vector<RunGroup> runs;
  for (std::size_t run = 0; run < values.size(); ++run) runs.push_back({run});
  return runs;
}

std::vector<double> GroupMeans(absl::Span<const double> values, absl::Span<const RunGroup> groups) {
  std::vector<double> means;
  for (const RunGroup& group : groups) {
    double sum = 0;
    for (const std::size_t run : group) sum += values[run];
    means.push_back(sum / static_cast<double>(group.size()));
  }
  return means;
}

std::optional<RatioRange> RatiosByAddress(absl::Span<const RunValue> runs) {
  std::set<int> layouts;
  std::vector<double> log_ratios;
  for (const RunValue& run : runs) {
    layouts.insert(run.layout);
    log_ratios.push_back(run.log_ratio);
  }
  if (layouts.size() < kDecision.min_layouts) return std::nullopt;
  const std::optional<double> within = PartWithinRuns(runs);
  if (!within.has_value() || *within > kDecision.part_within_runs) return std::nullopt;
  const std::vector<double> near = WithoutFarOff(log_ratios, MostFarOff(runs.size()));
  const auto [lowest, highest] = std::minmax_element(near.begin(), near.end());
  return RatioRange{std::exp(*lowest), std::exp(*highest)};
}

}  // namespace duetbench::stats
