#include "duetbench/decision/core_state.h"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "duetbench/decision/total_ratio.h"
#include "duetbench/stats/decision_policy.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

// The log-ratios of runs by two variables, each with its sign: minus ln of the probe of old, and ln
// of that of new. Sums are of products of deviations from the means.
struct Moments {
  double n = 0;
  double mean[2] = {0, 0};
  double mean_ratio = 0;
  double probes[2][2] = {{0, 0}, {0, 0}};
  double with_ratio[2] = {0, 0};
  double ratios = 0;
};

double Variable(const RunValue& run, int variant) {
  return variant == 0 ? -run.log_probe[0] : run.log_probe[1];
}

Moments MomentsOf(const std::vector<RunValue>& runs) {
  Moments moments;
  moments.n = static_cast<double>(runs.size());
  for (const RunValue& run : runs) {
    for (int v = 0; v < 2; ++v) moments.mean[v] += Variable(run, v) / moments.n;
    moments.mean_ratio += run.log_ratio / moments.n;
  }
  for (const RunValue& run : runs) {
    const double ratio = run.log_ratio - moments.mean_ratio;
    moments.ratios += ratio * ratio;
    for (int v = 0; v < 2; ++v) {
      const double deviation = Variable(run, v) - moments.mean[v];
      moments.with_ratio[v] += deviation * ratio;
      for (int w = 0; w < 2; ++w) {
        moments.probes[v][w] += deviation * (Variable(run, w) - moments.mean[w]);
      }
    }
  }
  return moments;
}

// The inverse of Moments::probes.
struct Inverse {
  double of[2][2];

  explicit Inverse(const double (&matrix)[2][2]) {
    const double determinant = matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0];
    for (int v = 0; v < 2; ++v) {
      of[v][v] = matrix[1 - v][1 - v] / determinant;
      of[v][1 - v] = -matrix[v][1 - v] / determinant;
    }
  }
  double Times(int row, const double (&vector)[2]) const {
    return of[row][0] * vector[0] + of[row][1] * vector[1];
  }
};

double PValue(double explained, double rest, double degrees_of_freedom) {
  if (!(rest > 0)) return 0;
  const double f = explained / 2 / (rest / degrees_of_freedom);
  return boost::math::cdf(boost::math::complement(boost::math::fisher_f(2, degrees_of_freedom), f));
}

// The speed of the core is known in each run, and it is the same machine.
bool KnowsSpeeds(const std::vector<RunValue>& runs) {
  return runs.size() >= kDecision.min_runs_of_core_state &&
         std::all_of(runs.begin(), runs.end(), [&](const RunValue& run) {
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
  return TrimmedMean(std::move(logs), kTrimFraction);
}

std::size_t LeaveOutSlowCore(std::vector<RunValue>* runs) {
  if (!KnowsSpeeds(*runs)) return 0;
  double limit[2];
  for (int v = 0; v < 2; ++v) {
    std::vector<double> probes;
    for (const RunValue& run : *runs) probes.push_back(run.log_probe[v]);
    limit[v] = Median(std::move(probes)) + std::log1p(kDecision.slow_core);
  }
  std::vector<RunValue> kept;
  for (const RunValue& run : *runs) {
    if (run.log_probe[0] <= limit[0] && run.log_probe[1] <= limit[1]) kept.push_back(run);
  }
  const std::size_t left_out = runs->size() - kept.size();
  if (left_out > kept.size() || kept.size() < kDecision.min_runs_of_core_state) return 0;
  *runs = std::move(kept);
  return left_out;
}

std::optional<CoreState> RemoveCoreState(std::vector<RunValue>* runs) {
  if (!KnowsSpeeds(*runs)) return std::nullopt;
  double fastest = std::numeric_limits<double>::infinity();
  double slowest = -fastest;
  for (const RunValue& run : *runs) {
    for (const double probe : run.log_probe) {
      fastest = std::min(fastest, probe);
      slowest = std::max(slowest, probe);
    }
  }
  const Moments moments = MomentsOf(*runs);
  const Inverse inverse(moments.probes);
  CoreState state;
  double explained = 0;
  for (int v = 0; v < 2; ++v) {
    state.slope[v] = inverse.Times(v, moments.with_ratio);
    explained += state.slope[v] * moments.with_ratio[v];
  }
  if (!std::isfinite(explained)) return std::nullopt;  // the probes do not vary
  state.degrees_of_freedom = moments.n - 3;
  const double rest = moments.ratios - explained;
  if (PValue(explained, rest, state.degrees_of_freedom) > kDecision.core_state_alpha) {
    return std::nullopt;
  }
  state.explained = explained / moments.ratios;
  // The mean of the corrections is half of the sum of the slopes times `apart`.
  const double apart = moments.mean[0] + moments.mean[1];
  const double halves[2] = {apart / 2, apart / 2};
  double leverage = 1;
  for (int v = 0; v < 2; ++v) leverage += moments.n * halves[v] * inverse.Times(v, halves);
  state.error_factor = std::sqrt((moments.n - 1) / state.degrees_of_freedom * leverage);
  // Speeds that hardly vary say nothing about where both are alike.
  if (!(state.error_factor * state.error_factor * rest < moments.ratios)) return std::nullopt;
  const double ratio_by_speed = state.slope[1] - state.slope[0];
  const double middle = (moments.mean[1] - moments.mean[0]) / 2;
  const double ratio = moments.mean_ratio - (state.slope[0] + state.slope[1]) / 2 * apart;
  state.slow_down = std::exp(slowest - fastest);
  state.ratio_at_fastest = std::exp(ratio + ratio_by_speed * (fastest - middle));
  state.ratio_at_slowest = std::exp(ratio + ratio_by_speed * (slowest - middle));
  for (RunValue& run : *runs) {
    const double mean = (run.log_probe[0] + run.log_probe[1]) / 2;
    for (int v = 0; v < 2; ++v) {
      const double slower = state.slope[v] * (run.log_probe[v] - mean);
      run.log_ratio += v == 0 ? slower : -slower;
      if (run.has_totals) ScaleTimes(v, std::exp(-slower), &run.totals);
    }
  }
  return state;
}

}  // namespace duetbench::stats
