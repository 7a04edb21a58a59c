#include "duetbench/evidence/stationarity.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
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

bool LengthenWarmUp(RunPlan* plan) {
  if (plan->schedule == Schedule::kAlternating) return false;  // a block begins with its own
  if (plan->fixed_iterations > 0 || plan->max_pairs > 0 || !(plan->budget_ns > 0)) return false;
  const double round_ns = plan->warm_up_ns + plan->budget_ns / plan->rounds;
  const double share = plan->warm_up_ns / round_ns;
  if (share >= 0.99 * kMeasuringPolicy.last_warm_up_share) return false;
  const double next = share < 0.99 * kMeasuringPolicy.first_warm_up_share
                          ? kMeasuringPolicy.first_warm_up_share
                          : kMeasuringPolicy.last_warm_up_share;
  plan->warm_up_ns = next * round_ns;
  plan->budget_ns = (1 - next) * round_ns * plan->rounds;
  return true;
}

void LeaveOutWarmUp(double share, RunResult* result) {
  std::vector<PairRecord> kept;
  const std::vector<PairRecord>& pairs = result->pairs;
  for (auto begin = pairs.begin(); begin != pairs.end();) {
    const auto end = std::find_if(
        begin, pairs.end(), [begin](const PairRecord& pair) { return pair.round != begin->round; });
    kept.insert(kept.end(), begin + std::llround(share * static_cast<double>(end - begin)), end);
    begin = end;
  }
  result->pairs = std::move(kept);
}

}  // namespace duetbench
