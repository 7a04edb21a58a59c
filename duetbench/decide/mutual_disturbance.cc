#include "duetbench/decide/mutual_disturbance.h"

#include <cmath>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/hypothesis_tests.h"
#include "duetbench/stats/pairs.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

constexpr uint32_t kUnusableFlags = kDisturbed | kNoTime;

// The undisturbed pairs of one kind in a run.
struct PairsOfKind {
  stats::RunPairs pairs;
  std::vector<double> times[2];  // per iteration, in ticks

  void Add(const PairRecord& pair) {
    if ((pair.flags & kUnusableFlags) != 0) return;
    for (int variant = 0; variant < 2; ++variant) {
      times[variant].push_back(pair.ticks[variant] / static_cast<double>(pair.iterations[variant]));
    }
    pairs.push_back({times[0].back(), times[1].back(), static_cast<int>(pair.assignment)});
  }

  absl::StatusOr<double> LogRatio() const {
    return stats::RunLogRatio(pairs, stats::Estimator::kTrimmed);
  }
};

PairsOfKind Select(const RunResult& result, bool alone) {
  PairsOfKind selected;
  for (const PairRecord& pair : result.pairs) {
    if (((pair.flags & kAlone) != 0) == alone) selected.Add(pair);
  }
  return selected;
}

// ln(time together / time alone) of a variant.
double LogSlowdown(const PairsOfKind& together, const PairsOfKind& alone, int variant) {
  return std::log(stats::TrimmedMean(together.times[variant], kMeasuringPolicy.trim_of_times) /
                  stats::TrimmedMean(alone.times[variant], kMeasuringPolicy.trim_of_times));
}

}  // namespace

std::optional<MutualDisturbance> FindMutualDisturbance(absl::Span<const RunResult> results) {
  std::vector<double> together_log_ratios;
  std::vector<double> alone_log_ratios;
  std::vector<double> differences;
  std::vector<double> slowdowns[2];
  for (const RunResult& result : results) {
    const PairsOfKind together = Select(result, false);
    const PairsOfKind alone = Select(result, true);
    const absl::StatusOr<double> together_log_ratio = together.LogRatio();
    const absl::StatusOr<double> alone_log_ratio = alone.LogRatio();
    if (!together_log_ratio.ok() || !alone_log_ratio.ok()) continue;
    together_log_ratios.push_back(*together_log_ratio);
    alone_log_ratios.push_back(*alone_log_ratio);
    differences.push_back(*together_log_ratio - *alone_log_ratio);
    for (int variant = 0; variant < 2; ++variant) {
      slowdowns[variant].push_back(LogSlowdown(together, alone, variant));
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
  return found.p <= kMeasuringPolicy.disturbance_alpha &&
         std::abs(std::log(found.ratio_together / found.ratio_alone)) >
             kMeasuringPolicy.notable_share_of_margin * std::log1p(margin);
}

}  // namespace duetbench
