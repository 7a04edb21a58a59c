#include "duetbench/decide/run_value.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "duetbench/decide/decision_policy.h"
#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/decide/robust_mean.h"
#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

double WithinRunVariance(const RunPairs& run) {
  if (run.size() < kDecision.min_pairs_of_variance) return std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> influence = InfluenceValues(run);
  const std::vector<double> batches =
      BatchMeans(influence, std::min(kDecision.batches_of_run, run.size() / 2));
  return Variance(batches) / static_cast<double>(batches.size());
}

// The speed of the core is known in each run, and it is the same machine.
bool KnowsSpeeds(const std::vector<RunValue>& runs) {
  return std::all_of(runs.begin(), runs.end(), [&](const RunValue& run) {
    return run.machine == runs.front().machine && !std::isnan(run.log_probe[0]) &&
           !std::isnan(run.log_probe[1]);
  });
}

bool HasProbes(const RunPairs& run) {
  return std::all_of(run.begin(), run.end(),
                     [](const Pair& pair) { return pair.probe_ns[0] > 0 && pair.probe_ns[1] > 0; });
}

// The longest time of the probe before the samples of a variant while the core is quiet.
double QuietLimit(const RunPairs& run, int variant) {
  std::vector<double> probes;
  for (const Pair& pair : run) probes.push_back(pair.probe_ns[variant]);
  std::sort(probes.begin(), probes.end());
  return QuantileType7(probes, kDecision.fastest_samples) * (1 + kDecision.slow_core);
}

// The runs of each layout that has as many as any, in the order of the first ones.
std::vector<RunUnit> CompleteLayouts(absl::Span<const int> layouts) {
  std::map<int, RunUnit> by_layout;
  std::size_t most = 0;
  for (std::size_t run = 0; run < layouts.size(); ++run) {
    RunUnit& unit = by_layout[layouts[run]];
    unit.push_back(run);
    most = std::max(most, unit.size());
  }
  std::vector<RunUnit> complete;
  for (auto& [layout, unit] : by_layout) {
    if (unit.size() == most) complete.push_back(std::move(unit));
  }
  std::sort(complete.begin(), complete.end());
  return complete;
}

double FTestP(double f, double over, double under) {
  return 2 * std::min(FisherFCdf(over, under, f), FisherFTail(over, under, f));
}

// The variance between layouts is another one than runs that are independent of each other have.
bool LayoutsDiffer(absl::Span<const double> values, absl::Span<const RunUnit> layouts) {
  const std::size_t most_far_off = MostFarOff(values.size());
  const auto runs_of_layout = static_cast<double>(layouts.front().size());
  std::vector<double> deviations;
  for (const RunUnit& layout : layouts) {
    std::vector<double> of_layout;
    for (const std::size_t run : layout) of_layout.push_back(values[run]);
    deviations.push_back(StandardDeviation(of_layout));
  }
  double within = 0;
  for (const double deviation : WithoutFarOff(deviations, most_far_off)) {
    within += deviation * deviation / static_cast<double>(layouts.size());
  }
  const double between =
      runs_of_layout * Variance(WithoutFarOff(UnitMeans(values, layouts), most_far_off));
  if (std::max(within, between) < kRounding * kRounding) return false;
  if (within == 0) return true;
  const auto count = static_cast<double>(layouts.size());
  return FTestP(between / within, count - 1, count * (runs_of_layout - 1)) <=
         kDecision.layout_alpha;
}

}  // namespace

absl::StatusOr<RunValue> ReduceRun(const RunPairs& run, const RunPairs& total_run, double taper) {
  const absl::StatusOr<double> log_ratio = RunLogRatio(run);
  if (!log_ratio.ok()) return log_ratio.status();
  RunValue value;
  value.log_ratio = *log_ratio;
  value.variance = WithinRunVariance(run);
  for (int v = 0; v < 2; ++v) value.log_probe[v] = LogProbe(run, v);
  value.pairs = run.size();
  value.has_totals = CheckPairs(total_run).ok();
  if (value.has_totals) value.totals = TotalsOf(total_run, taper);
  return value;
}

std::optional<double> PartWithinRuns(absl::Span<const RunValue> runs) {
  if (runs.size() < 2) return std::nullopt;
  std::vector<double> log_ratios;
  double within = 0;
  for (const RunValue& run : runs) {
    within += run.variance / static_cast<double>(runs.size());
    log_ratios.push_back(run.log_ratio);
  }
  const double between = Variance(log_ratios);
  if (!std::isfinite(within) || !(between > 0)) return std::nullopt;
  return std::min(1.0, within / between);
}

std::vector<std::size_t> QuietPairs(const RunPairs& run) {
  std::vector<std::size_t> all(run.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (run.empty() || !HasProbes(run)) return all;
  const double limits[2] = {QuietLimit(run, 0), QuietLimit(run, 1)};
  const auto begins_quiet = [&](const Pair& pair) {
    return pair.probe_ns[0] <= limits[0] && pair.probe_ns[1] <= limits[1];
  };
  std::vector<std::size_t> quiet;
  for (const std::size_t i : all) {
    const bool ends_quiet = i + 1 == run.size() || begins_quiet(run[i + 1]);
    if (begins_quiet(run[i]) && ends_quiet) quiet.push_back(i);
  }
  const double least = kDecision.min_share_of_quiet_pairs * static_cast<double>(run.size());
  return static_cast<double>(quiet.size()) < least ? all : quiet;
}

RunPairs PairsAt(const RunPairs& run, const std::vector<std::size_t>& positions) {
  RunPairs pairs;
  pairs.reserve(positions.size());
  for (const std::size_t position : positions) pairs.push_back(run[position]);
  return pairs;
}

double LogProbe(const RunPairs& run, int variant) {
  if (run.empty() || !HasProbes(run)) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> logs;
  for (const Pair& pair : run) logs.push_back(std::log(double{pair.probe_ns[variant]}));
  return TrimmedMean(std::move(logs), kDecision.trim);
}

std::size_t LeaveOutSlowCore(std::vector<RunValue>* runs) {
  if (runs->empty() || !KnowsSpeeds(*runs)) return 0;
  double limit[2];
  for (int v = 0; v < 2; ++v) {
    limit[v] = runs->front().log_probe[v];
    for (const RunValue& run : *runs) limit[v] = std::min(limit[v], run.log_probe[v]);
    limit[v] += std::log1p(kDecision.slow_core);
  }
  std::vector<RunValue> kept;
  for (const RunValue& run : *runs) {
    if (run.log_probe[0] <= limit[0] && run.log_probe[1] <= limit[1]) kept.push_back(run);
  }
  if (kept.size() < kDecision.min_runs_on_quiet_core) return 0;
  const std::size_t left_out = runs->size() - kept.size();
  *runs = std::move(kept);
  return left_out;
}

std::vector<RunUnit> IndependentUnits(absl::Span<const double> values,
                                      absl::Span<const int> layouts) {
  Require(values.size() == layouts.size(), "each run has a layout");
  std::vector<RunUnit> complete = CompleteLayouts(layouts);
  const bool are_several = complete.size() >= kDecision.min_layouts && complete[0].size() > 1 &&
                           2 * complete.size() * complete[0].size() >= values.size();
  if (are_several && LayoutsDiffer(values, complete)) return complete;
  std::vector<RunUnit> runs;
  for (std::size_t run = 0; run < values.size(); ++run) runs.push_back({run});
  return runs;
}

std::vector<double> UnitMeans(absl::Span<const double> values, absl::Span<const RunUnit> units) {
  std::vector<double> means;
  for (const RunUnit& unit : units) {
    double sum = 0;
    for (const std::size_t run : unit) sum += values[run];
    means.push_back(sum / static_cast<double>(unit.size()));
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
