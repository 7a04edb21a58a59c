#include "duetbench/experiment/mutual_disturbance.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/hypothesis_tests.h"
#include "duetbench/stats/pairs.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

constexpr double kDisturbanceAlpha = 0.001;
constexpr double kTrimOfTimes = 0.1;
constexpr uint32_t kUnusableFlags = kDisturbed | kNoTime;

// The undisturbed pairs of one kind in a run.
struct PairsOfKind {
  stats::RunPairs pairs;
  std::vector<double> times[2];  // per iteration, in ticks
};

PairsOfKind Select(const RunResult& result, bool alone) {
  PairsOfKind selected;
  for (const PairRecord& pair : result.pairs) {
    if (((pair.flags & kAlone) != 0) != alone || (pair.flags & kUnusableFlags) != 0) continue;
    for (int variant = 0; variant < 2; ++variant) {
      selected.times[variant].push_back(pair.ticks[variant] /
                                        static_cast<double>(pair.iterations[variant]));
    }
    selected.pairs.push_back(
        {selected.times[0].back(), selected.times[1].back(), static_cast<int>(pair.assignment)});
  }
  return selected;
}

}  // namespace

std::optional<MutualDisturbance> FindMutualDisturbance(absl::Span<const RunResult> results) {
  std::vector<double> together_log_ratios;
  std::vector<double> alone_log_ratios;
  std::vector<double> differences;
  std::vector<double> slowdowns[2];
  for (const RunResult& result : results) {
    PairsOfKind together = Select(result, false);
    PairsOfKind alone = Select(result, true);
    if (together.pairs.empty() || alone.pairs.empty()) continue;
    const absl::StatusOr<double> together_log_ratio =
        stats::RunLogRatio(together.pairs, stats::Estimator::kTrimmed);
    const absl::StatusOr<double> alone_log_ratio =
        stats::RunLogRatio(alone.pairs, stats::Estimator::kTrimmed);
    if (!together_log_ratio.ok() || !alone_log_ratio.ok()) continue;
    together_log_ratios.push_back(*together_log_ratio);
    alone_log_ratios.push_back(*alone_log_ratio);
    differences.push_back(*together_log_ratio - *alone_log_ratio);
    for (int variant = 0; variant < 2; ++variant) {
      slowdowns[variant].push_back(
          std::log(stats::TrimmedMean(std::move(together.times[variant]), kTrimOfTimes) /
                   stats::TrimmedMean(std::move(alone.times[variant]), kTrimOfTimes)));
    }
  }
  if (differences.size() < 2) return std::nullopt;
  const stats::TTest test = stats::PairedTTest(differences);
  if (!(test.standard_error > 0) || !std::isfinite(test.standard_error)) return std::nullopt;
  MutualDisturbance found;
  found.runs = static_cast<int>(differences.size());
  found.ratio_alone = std::exp(stats::Mean(alone_log_ratios));
  found.ratio_together = std::exp(stats::Mean(together_log_ratios));
  found.p = test.p;
  for (int variant = 0; variant < 2; ++variant) {
    found.slowdown[variant] = std::exp(stats::Mean(slowdowns[variant]));
  }
  return found;
}

bool DisturbEachOther(const MutualDisturbance& found, double margin) {
  return found.p <= kDisturbanceAlpha &&
         std::abs(std::log(found.ratio_together / found.ratio_alone)) > std::log1p(margin) / 2;
}

}  // namespace duetbench
