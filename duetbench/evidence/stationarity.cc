#include "duetbench/evidence/stationarity.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "duetbench/evidence/variant_state.h"
#include "duetbench/plan/measuring_policy.h"
#include "duetbench/stats/hypothesis_tests.h"
#include "duetbench/stats/robust.h"

namespace duetbench {
namespace {

double TimeOf(const PairRecord& pair, int variant) {
  return pair.ticks[variant] / static_cast<double>(pair.iterations[variant]);
}

// Pairs that a drift is looked for in.
struct DriftPairs {
  uint32_t unused = 0;  // PairFlag: pairs with one of these are left out
  size_t of_round = 0;  // the fewest of a round
};

// Values of the pairs of a round. Each less the mean of its assignment, if there are enough of them
// for that.
template <class ValueOf>
std::vector<double> ResidualsOf(const RunResult& result, uint32_t round, const DriftPairs& used,
                                const ValueOf& value_of) {
  std::vector<double> residuals;
  std::vector<uint32_t> assignments;
  double sums[2] = {0, 0};
  double counts[2] = {0, 0};
  for (const PairRecord& pair : result.pairs) {
    if (pair.round != round || (pair.flags & used.unused) != 0) continue;
    residuals.push_back(value_of(pair));
    assignments.push_back(pair.assignment & 1);
    sums[assignments.back()] += residuals.back();
    counts[assignments.back()] += 1;
  }
  if (residuals.size() < kMeasuringPolicy.min_pairs_of_round) return residuals;
  for (size_t i = 0; i < residuals.size(); ++i) {
    residuals[i] -= sums[assignments[i]] / counts[assignments[i]];
  }
  return residuals;
}

// Drift over the rounds of a run that have enough pairs.
template <class ValueOf>
std::optional<double> DriftOf(const RunResult& result, const DriftPairs& used,
                              const ValueOf& value_of) {
  double sum = 0;
  int rounds = 0;
  for (uint32_t round = 0; round < kMaxRounds; ++round) {
    const std::vector<double> residuals = ResidualsOf(result, round, used, value_of);
    if (residuals.size() < used.of_round) continue;
    const auto third =
        std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(residuals.size()) / 3);
    sum += stats::TrimmedMean({residuals.end() - third, residuals.end()},
                              kMeasuringPolicy.trim_of_drift) -
           stats::TrimmedMean({residuals.begin(), residuals.begin() + third},
                              kMeasuringPolicy.trim_of_drift);
    ++rounds;
  }
  if (rounds == 0) return std::nullopt;
  return sum / rounds;
}

template <class ValueOf>
std::optional<RatioDrift> FindDrift(absl::Span<const RunResult> results, const DriftPairs& used,
                                    const ValueOf& value_of) {
  std::vector<double> drifts;
  for (const RunResult& result : results) {
    if (const std::optional<double> drift = DriftOf(result, used, value_of)) {
      drifts.push_back(*drift);
    }
  }
  if (drifts.size() < kMeasuringPolicy.min_runs_of_drift) return std::nullopt;
  const stats::TTest test = stats::PairedTTest(drifts);
  if (!(test.standard_error > 0) || !std::isfinite(test.standard_error)) return std::nullopt;
  return RatioDrift{static_cast<int>(drifts.size()), stats::Mean(drifts), test.p};
}

}  // namespace

std::optional<RatioDrift> FindRatioDrift(absl::Span<const RunResult> results) {
  return FindDrift(
      results, {kDisturbed | kNoTime | kAlone, kMeasuringPolicy.min_pairs_of_round},
      [](const PairRecord& pair) { return std::log(TimeOf(pair, 1) / TimeOf(pair, 0)); });
}

std::optional<double> FindSlowingDown(absl::Span<const RunResult> results, int variant,
                                      double ns_per_tick) {
  // The threshold is far above what disturbances do to the thirds of all runs alike.
  const std::optional<RatioDrift> drift =
      FindDrift(results, {kNoTime | kAlone, kMeasuringPolicy.min_pairs_of_growth},
                [variant](const PairRecord& pair) { return std::log(TimeOf(pair, variant)); });
  const bool is_notable = drift.has_value() && drift->p <= kMeasuringPolicy.drift_alpha &&
                          drift->log_ratio > std::log1p(kMeasuringPolicy.slowing_down);
  const std::optional<double> times = FindSlowerThanFirst(results, variant, ns_per_tick);
  return is_notable ? std::max(times, std::optional<double>(std::exp(drift->log_ratio))) : times;
}

bool IsDrifting(const RatioDrift& drift, double margin) {
  return drift.p <= kMeasuringPolicy.drift_alpha &&
         std::abs(drift.log_ratio) > kMeasuringPolicy.notable_share_of_margin * std::log1p(margin);
}

std::optional<RatioDrift> FindNotableDrift(absl::Span<const RunResult> results, double margin) {
  std::optional<RatioDrift> drift = FindRatioDrift(results);
  if (drift.has_value() && !IsDrifting(*drift, margin)) drift.reset();
  return drift;
}

namespace {

bool IsOfPosition(const PairRecord& pair) {
  return (pair.flags & (kDisturbed | kNoTime | kAlone)) == 0;
}

}  // namespace

std::optional<double> HeadEffect(const RunResult& run, double share) {
  std::vector<double> log_ratios;
  for (const PairRecord& pair : run.pairs) {
    if (IsOfPosition(pair)) log_ratios.push_back(std::log(TimeOf(pair, 1) / TimeOf(pair, 0)));
  }
  constexpr std::ptrdiff_t kFewest = kFewestPairsOfHeadAndRest / 2;
  const auto pairs = static_cast<std::ptrdiff_t>(log_ratios.size());
  const auto head =
      std::max(kFewest, static_cast<std::ptrdiff_t>(share * static_cast<double>(pairs)));
  if (pairs - head < kFewest) return std::nullopt;
  // A slow part at the end of the run is not trimmed.
  constexpr double kTrimmed = 0.02;
  return stats::TrimmedMean({log_ratios.begin(), log_ratios.begin() + head}, kTrimmed) -
         stats::TrimmedMean({log_ratios.begin() + head, log_ratios.end()}, kTrimmed);
}

double PositionError(absl::Span<const RunResult> results) {
  constexpr size_t kParts = 8;
  double errors[kParts / 2] = {};
  for (const RunResult& run : results) {
    std::vector<const PairRecord*> pairs;
    for (const PairRecord& pair : run.pairs) {
      if (IsOfPosition(pair)) pairs.push_back(&pair);
    }
    if (pairs.size() < kParts) continue;
    double log_ratios[kParts + 1] = {};  // up to the end of each part
    double ticks[2] = {0, 0};
    double iterations[2] = {0, 0};
    size_t i = 0;
    for (size_t part = 1; part <= kParts; ++part) {
      for (; i < part * pairs.size() / kParts; ++i) {
        for (int v = 0; v < 2; ++v) {
          ticks[v] += pairs[i]->ticks[v];
          iterations[v] += static_cast<double>(pairs[i]->iterations[v]);
        }
      }
      log_ratios[part] = std::log(ticks[1] / ticks[0] * iterations[0] / iterations[1]);
    }
    for (size_t part = kParts / 2; part < kParts; ++part) {
      errors[part - kParts / 2] +=
          (log_ratios[part] - log_ratios[kParts]) / static_cast<double>(results.size());
    }
  }
  double largest = 0;
  for (const double error : errors) largest = std::max(largest, std::abs(error));
  return largest;
}

}  // namespace duetbench
