#include "duetbench/decide/core_state.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "duetbench/decide/decision_policy.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

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

}  // namespace

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

}  // namespace duetbench::stats
