#include "duetbench/decide/mutual_disturbance.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/decide/pairs.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/record/robust.h"

namespace duetbench {
namespace {

// The undisturbed pairs of one kind in a run.
stats::RunPairs PairsOf(const RunResult& result, bool solo) {
  stats::RunPairs pairs;
  for (const PairRecord& pair : result.pairs) {
    const bool is_usable = (pair.flags & (kDisturbed | kNoTime)) == 0;
    if (!is_usable || ((pair.flags & kSolo) != 0) != solo) continue;
    const auto time = [&pair](int variant) {
      return pair.ticks[variant] / static_cast<double>(pair.iterations[variant]);
    };
    pairs.push_back({time(0), time(1), static_cast<int>(pair.assignment)});
  }
  return pairs;
}

double MedianLogTime(const stats::RunPairs& pairs, double stats::Pair::*time) {
  std::vector<double> times;
  for (const stats::Pair& pair : pairs) times.push_back(pair.*time);
  return std::log(stats::Median(std::move(times)));
}

}  // namespace

std::optional<MutualDisturbance> FindMutualDisturbance(absl::Span<const RunResult> results) {
  std::vector<double> together_log_ratios;
  std::vector<double> solo_log_ratios;
  std::vector<double> differences;
  std::vector<double> slower[2];  // by variant
  for (const RunResult& result : results) {
    const stats::RunPairs together = PairsOf(result, false);
    const stats::RunPairs solo = PairsOf(result, true);
    const absl::StatusOr<double> of_together = stats::RunLogRatio(together);
    const absl::StatusOr<double> of_solo = stats::RunLogRatio(solo);
    if (!of_together.ok() || !of_solo.ok()) continue;
    together_log_ratios.push_back(*of_together);
    solo_log_ratios.push_back(*of_solo);
    differences.push_back(*of_together - *of_solo);
    constexpr double stats::Pair::*kTimes[] = {&stats::Pair::old_time, &stats::Pair::new_time};
    for (int v = 0; v < 2; ++v) {
      slower[v].push_back(MedianLogTime(together, kTimes[v]) - MedianLogTime(solo, kTimes[v]));
    }
  }
  if (differences.empty()) return std::nullopt;
  MutualDisturbance found;
  found.ratio_solo = std::exp(stats::Mean(solo_log_ratios));
  found.ratio_together = std::exp(stats::Mean(together_log_ratios));
  if (differences.size() > 1) {
    const stats::TTest test = stats::PairedTTest(differences);
    if (!(test.standard_error > 0) || !std::isfinite(test.standard_error)) return std::nullopt;
    found.p = test.p;
  }
  found.slower = std::max(stats::Median(slower[0]), stats::Median(slower[1]));
  return found;
}

bool DisturbEachOther(const MutualDisturbance& found, double margin) {
  return found.p <= kMeasuringPolicy.disturbance_alpha &&
         std::abs(std::log(found.ratio_together / found.ratio_solo)) >
             kMeasuringPolicy.notable_share_of_margin * std::log1p(margin);
}

}  // namespace duetbench
