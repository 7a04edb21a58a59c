#include "duetbench/decide/stationarity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "duetbench/decide/core_state.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/stats/hypothesis_tests.h"
#include "duetbench/stats/pairs.h"
#include "duetbench/stats/position_error.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

// ln of the ratio of total times up to a position in a run, and behind it, less that of the
// whole.
struct AtPosition {
  double before = 0;
  double behind = 0;
};

// Times and iterations of the pairs of a run up to one of them.
struct Sums {
  double ticks[2] = {0, 0};
  double iterations[2] = {0, 0};
};

double LogRatio(const Sums& from, const Sums& to) {
  const auto time = [&](int v) {
    return (to.ticks[v] - from.ticks[v]) / (to.iterations[v] - from.iterations[v]);
  };
  return std::log(time(1) / time(0));
}

// Those in which a neighbor on the core would be taken for an effect of the position are left out.
std::vector<const PairRecord*> UndisturbedPairs(const RunResult& run) {
  std::vector<const PairRecord*> records;
  stats::RunPairs pairs;
  for (const PairRecord& pair : run.pairs) {
    if ((pair.flags & (kDisturbed | kNoTime | kAlone)) != 0) continue;
    records.push_back(&pair);
    pairs.push_back({pair.ticks[0], pair.ticks[1], static_cast<int>(pair.assignment)});
    for (int v = 0; v < 2; ++v) pairs.back().probe_ns[v] = static_cast<float>(pair.probe_ticks[v]);
  }
  std::vector<const PairRecord*> quiet;
  for (const size_t i : stats::QuietPairs(pairs)) quiet.push_back(records[i]);
  return quiet;
}

// At positions in the second half of the first `share` of the run.
std::optional<std::array<AtPosition, kPositions>> PositionsOf(const RunResult& run, double share) {
  std::vector<Sums> sums(1);
  for (const PairRecord* const pair : UndisturbedPairs(run)) {
    sums.push_back(sums.back());
    for (int v = 0; v < 2; ++v) {
      sums.back().ticks[v] += pair->ticks[v];
      sums.back().iterations[v] += static_cast<double>(pair->iterations[v]);
    }
  }
  // Even numbers have as many pairs with each assignment.
  const auto even = [](size_t pairs) { return pairs / 2 * 2; };
  const size_t pairs = even(sums.size() - 1);
  if (pairs < kFewestPairsOfPositions) return std::nullopt;
  const double whole = LogRatio(sums[0], sums[pairs]);
  const size_t head = std::max(kPositions, static_cast<size_t>(share * static_cast<double>(pairs)));
  std::array<AtPosition, kPositions> positions{};
  for (size_t i = 0; i < kPositions; ++i) {
    const size_t end = even(head * (kPositions + i) / (2 * kPositions));
    positions[i] = {LogRatio(sums[0], sums[end]) - whole, LogRatio(sums[end], sums[pairs]) - whole};
  }
  return positions;
}

}  // namespace

std::optional<HeadEffects> EffectsOfHead(const RunResult& run, double share) {
  const auto positions = PositionsOf(run, share);
  if (!positions.has_value()) return std::nullopt;
  HeadEffects effects;
  for (size_t i = 0; i < kPositions; ++i) effects[i] = (*positions)[i].before;
  return effects;
}

PositionEffect FindPositionEffect(absl::Span<const RunResult> results) {
  std::vector<double> before[kPositions];
  std::vector<double> behind[kPositions];
  for (const RunResult& run : results) {
    const auto positions = PositionsOf(run, /*share=*/1);
    for (size_t i = 0; positions.has_value() && i < kPositions; ++i) {
      before[i].push_back((*positions)[i].before);
      behind[i].push_back((*positions)[i].behind);
    }
  }
  PositionEffect effect;
  if (before[0].empty()) return effect;
  double most_behind = 0;
  for (size_t i = 0; i < kPositions; ++i) {
    const double mean = stats::Mean(before[i]);
    most_behind = std::max(most_behind, std::abs(stats::Mean(behind[i])));
    if (std::abs(mean) <= effect.log_ratio) continue;
    effect.log_ratio = std::abs(mean);
    const bool is_tested = before[i].size() >= kMeasuringPolicy.min_runs_of_drift;
    const double p = is_tested ? stats::PairedTTest(before[i]).p : 1;
    effect.p = std::min(1.0, kPositions * p);
  }
  effect.error = stats::PositionError(effect.log_ratio, most_behind);
  return effect;
}

bool IsNotable(const PositionEffect& effect, double margin) {
  return effect.p <= kMeasuringPolicy.drift_alpha &&
         effect.log_ratio > kMeasuringPolicy.notable_share_of_margin * std::log1p(margin);
}

}  // namespace duetbench
