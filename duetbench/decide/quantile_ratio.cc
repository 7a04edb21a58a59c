#include "duetbench/decide/quantile_ratio.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

constexpr int kMinTailCalls = 5;

// The chance that at most `count` of `bundles` lie on one side of their median.
double SignTail(int count, int bundles) { return BinomialCdf(bundles, 0.5, count); }

// The largest k for which the k-th smallest of `bundles` values, from 1, is a lower end at alpha; 0
// if there is none.
int EndRank(int bundles, double alpha) {
  int rank = 0;
  while (2 * rank < bundles && SignTail(rank, bundles) <= alpha / 2) ++rank;
  return rank;
}

// For which there is an interval.
int BundlesNeeded(double alpha) {
  return std::max(2, static_cast<int>(std::ceil(1 - std::log2(alpha) - 1e-9)));
}

double SampleQuantile(std::vector<double> times, double quantile) {
  const auto n = static_cast<double>(times.size());
  const double position = std::clamp((n + 1.0 / 3) * quantile + 1.0 / 3, 1.0, n) - 1;
  const auto below = static_cast<std::ptrdiff_t>(position);
  const auto at = times.begin() + below;
  std::nth_element(times.begin(), at, times.end());
  const double part = position - static_cast<double>(below);
  if (!(part > 0) || at + 1 == times.end()) return *at;
  return *at + part * (*std::min_element(at + 1, times.end()) - *at);
}

struct SignInterval {
  double median;
  double lo;
  double hi;
};
SignInterval OfBundles(std::vector<double> values, size_t rank) {
  std::sort(values.begin(), values.end());
  return {Median(values), values[rank - 1], values[values.size() - rank]};
}

// True if the values are of two kinds, far apart.
bool HasGap(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double widest = 0;
  for (size_t i = 1; i < values.size(); ++i) {
    widest = std::max(widest, values[i] - values[i - 1]);
  }
  return widest > (values.back() - values.front()) / 2;
}

double TimeOf(const Pair& pair, int variant) {
  return variant == 0 ? pair.old_time : pair.new_time;
}

// The times of one variant, in units of the median of their run: runs differ as a whole, and that
// says nothing about how the calls of one depend on each other.
std::vector<std::vector<double>> TimesInRuns(absl::Span<const RunPairs> runs, int variant) {
  std::vector<std::vector<double>> all;
  for (const RunPairs& run : runs) {
    std::vector<double>& times = all.emplace_back();
    for (const Pair& pair : run) times.push_back(TimeOf(pair, variant));
    if (times.empty()) continue;
    const double median = SampleQuantile(times, 0.5);
    for (double& time : times) time /= median;
  }
  return all;
}

// The part of the calls beyond the quantile that come independently of each other (the extremal
// index, by the estimator of runs): those that follow within `gap` calls belong to one episode,
// and independent calls would have (1 - tail)^gap episodes for each.
double IndependentPart(absl::Span<const RunPairs> runs, int variant, double quantile) {
  const double tail = std::min(quantile, 1 - quantile);
  const auto gap = static_cast<int64_t>(std::ceil(0.5 / tail - 1e-9));
  const std::vector<std::vector<double>> times = TimesInRuns(runs, variant);
  std::vector<double> all;
  for (const std::vector<double>& run : times) all.insert(all.end(), run.begin(), run.end());
  if (all.empty()) return 1;
  const double limit = SampleQuantile(std::move(all), quantile);
  double beyond = 0;
  double episodes = 0;
  for (const std::vector<double>& run : times) {
    int64_t since = gap + 1;  // the last one
    for (const double time : run) {
      ++since;
      if (quantile < 0.5 ? time >= limit : time <= limit) continue;
      ++beyond;
      if (since > gap) ++episodes;
      since = 0;
    }
  }
  if (!(beyond > 0)) return 1;  // all alike
  const double independent = beyond * std::pow(1 - tail, static_cast<double>(gap));
  return std::clamp(episodes / independent, 1e-6, 1.0);
}

// The times of both variants of each bundle. A rest that is too small joins the last bundle.
struct Bundle {
  std::vector<double> times[2];
};
std::vector<Bundle> BundlesOf(absl::Span<const RunPairs> runs, double calls_of_bundle) {
  std::vector<Bundle> bundles;
  Bundle open;
  for (const RunPairs& run : runs) {
    for (const Pair& pair : run) {
      open.times[0].push_back(pair.old_time);
      open.times[1].push_back(pair.new_time);
    }
    if (static_cast<double>(open.times[0].size()) < calls_of_bundle) continue;
    bundles.push_back(std::move(open));
    open = {};
  }
  if (bundles.empty()) return bundles;
  for (int v = 0; v < 2; ++v) {
    std::vector<double>& last = bundles.back().times[v];
    last.insert(last.end(), open.times[v].begin(), open.times[v].end());
  }
  return bundles;
}

}  // namespace

QuantileRatio ComputeQuantileRatio(absl::Span<const RunPairs> runs, double quantile, double alpha,
                                   double level) {
  const double independent_part =
      std::min(IndependentPart(runs, 0, quantile), IndependentPart(runs, 1, quantile));
  const double calls_of_bundle = std::ceil(
      kMinTailCalls / (std::min(quantile, 1 - quantile) * independent_part) * (1 - 1e-12));
  QuantileRatio ratio;
  ratio.quantile = quantile;
  ratio.runs = static_cast<int>(runs.size());
  ratio.runs_needed = BundlesNeeded(alpha);
  ratio.calls_needed = static_cast<uint64_t>(calls_of_bundle) * ratio.runs_needed;
  for (const RunPairs& run : runs) ratio.calls += run.size();

  std::vector<double> logs[2];
  for (const Bundle& bundle : BundlesOf(runs, calls_of_bundle)) {
    for (int v = 0; v < 2; ++v) {
      logs[v].push_back(std::log(SampleQuantile(bundle.times[v], quantile)));
    }
    ratio.bundle_log_ratios.push_back(logs[1].back() - logs[0].back());
  }
  if (ratio.bundle_log_ratios.empty()) return ratio;
  const size_t bundles = ratio.bundle_log_ratios.size();
  const auto rank = static_cast<size_t>(EndRank(static_cast<int>(bundles), alpha));
  if (rank == 0) {
    // Bundles end with a run: more calls than the least go into each.
    ratio.calls_needed = std::max(ratio.calls_needed,
                                  ratio.calls * static_cast<uint64_t>(ratio.runs_needed) / bundles);
    return ratio;
  }
  SignInterval interval = OfBundles(ratio.bundle_log_ratios, rank);
  const SignInterval variants[2] = {OfBundles(logs[0], rank), OfBundles(logs[1], rank)};
  for (int v = 0; v < 2; ++v) ratio.time[v] = std::exp(variants[v].median);
  if (HasGap(logs[0]) || HasGap(logs[1])) {
    interval.lo = std::min(interval.lo, variants[1].lo - variants[0].hi);
    interval.hi = std::max(interval.hi, variants[1].hi - variants[0].lo);
  }
  ratio.interval =
      RatioInterval{std::exp(interval.median), std::exp(interval.lo), std::exp(interval.hi), level};
  return ratio;
}

double QuantilePValue(absl::Span<const double> log_ratios, double limit) {
  if (log_ratios.empty()) return 1;
  const auto below = static_cast<int>(std::count_if(log_ratios.begin(), log_ratios.end(),
                                                    [&](double value) { return value <= limit; }));
  return std::min(1.0, 2 * SignTail(below, static_cast<int>(log_ratios.size())));
}

}  // namespace duetbench::stats
