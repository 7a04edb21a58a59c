#include "duetbench/decide/quantile_ratio.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

constexpr int kMinTailCalls = 5;

// The chance that at most `count` of `groups` lie on one side of their median.
double SignTail(int count, int groups) { return BinomialCdf(groups, 0.5, count); }

// The largest k for which the k-th smallest of `groups` values, from 1, is a lower end at alpha; 0
// if there is none.
int EndRank(int groups, double alpha) {
  int rank = 0;
  while (2 * rank < groups && SignTail(rank, groups) <= alpha / 2) ++rank;
  return rank;
}

// For which there is an interval.
int GroupsNeeded(double alpha) {
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
SignInterval OfGroups(std::vector<double> values, size_t rank) {
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

// The times of both variants of each group. A rest that is too small joins the last group.
struct Group {
  std::vector<double> times[2];
};
std::vector<Group> GroupsOf(absl::Span<const RunPairs> runs, double calls_of_group) {
  std::vector<Group> groups;
  Group open;
  for (const RunPairs& run : runs) {
    for (const Pair& pair : run) {
      open.times[0].push_back(pair.old_time);
      open.times[1].push_back(pair.new_time);
    }
    if (static_cast<double>(open.times[0].size()) < calls_of_group) continue;
    groups.push_back(std::move(open));
    open = {};
  }
  if (groups.empty()) return groups;
  for (int v = 0; v < 2; ++v) {
    std::vector<double>& last = groups.back().times[v];
    last.insert(last.end(), open.times[v].begin(), open.times[v].end());
  }
  return groups;
}

}  // namespace

QuantileRatio ComputeQuantileRatio(absl::Span<const RunPairs> runs, double quantile, double alpha,
                                   double level) {
  const double independent_part =
      std::min(IndependentPart(runs, 0, quantile), IndependentPart(runs, 1, quantile));
  const double calls_of_group = std::ceil(
      kMinTailCalls / (std::min(quantile, 1 - quantile) * independent_part) * (1 - 1e-12));
  QuantileRatio ratio;
  ratio.quantile = quantile;
  ratio.runs = static_cast<int>(runs.size());
  ratio.runs_needed = GroupsNeeded(alpha);
  ratio.calls_needed = static_cast<uint64_t>(calls_of_group) * ratio.runs_needed;
  for (const RunPairs& run : runs) ratio.calls += run.size();

  std::vector<double> logs[2];
  for (const Group& group : GroupsOf(runs, calls_of_group)) {
    for (int v = 0; v < 2; ++v) {
      logs[v].push_back(std::log(SampleQuantile(group.times[v], quantile)));
    }
    ratio.group_log_ratios.push_back(logs[1].back() - logs[0].back());
  }
  if (ratio.group_log_ratios.empty()) return ratio;
  const size_t groups = ratio.group_log_ratios.size();
  const auto rank = static_cast<size_t>(EndRank(static_cast<int>(groups), alpha));
  if (rank == 0) {
    // Groups end with a run: more calls than the least go into each.
    ratio.calls_needed = std::max(ratio.calls_needed,
                                  ratio.calls * static_cast<uint64_t>(ratio.runs_needed) / groups);
    return ratio;
  }
  SignInterval interval = OfGroups(ratio.group_log_ratios, rank);
  const SignInterval variants[2] = {OfGroups(logs[0], rank), OfGroups(logs[1], rank)};
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
