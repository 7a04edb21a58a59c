#include "duetbench/decide/mutual_disturbance.h"

#include <cmath>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/decide/pairs.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/record/robust.h"

namespace duetbench {
namespace {

// ln(new/old) of the undisturbed pairs of one kind in a run.
absl::StatusOr<double> LogRatioOf(const RunResult& result, bool alone) {
  stats::RunPairs pairs;
  for (const PairRecord& pair : result.pairs) {
    const bool is_usable = (pair.flags & (kDisturbed | kNoTime)) == 0;
    if (!is_usable || ((pair.flags & kAlone) != 0) != alone) continue;
    const auto time = [&pair](int variant) {
      return pair.ticks[variant] / static_cast<double>(pair.iterations[variant]);
    };
    pairs.push_back({time(0), time(1), static_cast<int>(pair.assignment)});
  }
  return stats::RunLogRatio(pairs);
}

}  // namespace

std::optional<MutualDisturbance> FindMutualDisturbance(absl::Span<const RunResult> results) {
  std::vector<double> together_log_ratios;
  std::vector<double> alone_log_ratios;
  std::vector<double> differences;
  for (const RunResult& result : results) {
    const absl::StatusOr<double> together = LogRatioOf(result, false);
    const absl::StatusOr<double> alone = LogRatioOf(result, true);
    if (!together.ok() || !alone.ok()) continue;
    together_log_ratios.push_back(*together);
    alone_log_ratios.push_back(*alone);
    differences.push_back(*together - *alone);
  }
  if (differences.size() < 2) return std::nullopt;
  const stats::TTest test = stats::PairedTTest(differences);
  if (!(test.standard_error > 0) || !std::isfinite(test.standard_error)) return std::nullopt;
  MutualDisturbance found;
  found.ratio_alone = std::exp(stats::Mean(alone_log_ratios));
  found.ratio_together = std::exp(stats::Mean(together_log_ratios));
  found.p = test.p;
  return found;
}

bool DisturbEachOther(const MutualDisturbance& found, double margin) {
  return found.p <= kMeasuringPolicy.disturbance_alpha &&
         std::abs(std::log(found.ratio_together / found.ratio_alone)) >
             kMeasuringPolicy.notable_share_of_margin * std::log1p(margin);
}

}  // namespace duetbench
