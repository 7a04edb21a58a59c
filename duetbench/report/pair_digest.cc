#include "duetbench/report/pair_digest.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "duetbench/decide/comparison.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kBins = 40;

double QuantileOf(std::vector<double>* values, double share) {
  const auto rank =
      static_cast<std::ptrdiff_t>(share * static_cast<double>(values->size() - 1) + 0.5);
  std::nth_element(values->begin(), values->begin() + rank, values->end());
  return (*values)[static_cast<std::size_t>(rank)];
}

// The range that holds the middle 98 % of `values`, and a tenth more.
std::pair<double, double> CentralRange(std::vector<double> values) {
  const double lo = QuantileOf(&values, 0.01);
  const double hi = QuantileOf(&values, 0.99);
  const double room = std::max((hi - lo) / 20, 1e-6);
  return {lo - room, hi + room};
}

// The mean over the undisturbed pairs; 0 if there are none.
double MeanLogRatio(absl::Span<const ShownPair> pairs) {
  double sum = 0;
  int count = 0;
  for (const ShownPair& pair : pairs) {
    if (pair.disturbed) continue;
    sum += std::log(pair.time[1] / pair.time[0]);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

Histogram CountValues(absl::Span<const double> values, double lo, double hi, std::size_t bins) {
  Histogram histogram;
  histogram.lo = lo;
  histogram.hi = hi;
  histogram.counts.resize(bins);
  for (const double value : values) {
    if (!(value >= lo && value <= hi)) {
      ++histogram.outside;
      continue;
    }
    const double bin = (value - lo) / (hi - lo) * static_cast<double>(bins);
    ++histogram.counts[std::min(static_cast<std::size_t>(bin), bins - 1)];
  }
  return histogram;
}

RunPicture PictureOfRun(std::size_t run, absl::Span<const ShownPair> pairs, std::size_t most) {
  RunPicture picture;
  picture.run = run;
  picture.pairs = pairs.size();
  picture.step = std::max<std::size_t>(1, (pairs.size() + most - 1) / most);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i % picture.step == 0) {
      picture.shown.push_back(pairs[i]);
    } else {
      picture.shown.back().disturbed |= pairs[i].disturbed;
    }
    if (pairs[i].disturbed) ++picture.disturbed;
  }
  return picture;
}

RunPicture PictureOfMiddleRun(absl::Span<const std::vector<ShownPair>> runs) {
  std::vector<std::pair<double, std::size_t>> ratios;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].empty()) ratios.emplace_back(MeanLogRatio(runs[i]), i);
  }
  if (ratios.empty()) return {};
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return PictureOfRun(middle->second, runs[middle->second], kShownPairs);
}

PairDigest DigestOfPairs(absl::Span<const RunPairs> runs) {
  std::vector<double> ratios;
  std::vector<double> times[2];
  for (const RunPairs& run : runs) {
    for (const Pair& pair : run) {
      ratios.push_back(std::log(pair.new_time / pair.old_time));
      times[0].push_back(std::log(pair.old_time));
      times[1].push_back(std::log(pair.new_time));
    }
  }
  PairDigest digest;
  if (ratios.empty()) return digest;
  const auto [lo, hi] = CentralRange(ratios);
  digest.log_ratios = CountValues(ratios, lo, hi, kBins);
  const auto [old_lo, old_hi] = CentralRange(times[0]);
  const auto [new_lo, new_hi] = CentralRange(times[1]);
  for (int v = 0; v < 2; ++v) {
    digest.log_times[v] =
        CountValues(times[v], std::min(old_lo, new_lo), std::max(old_hi, new_hi), kBins);
  }
  return digest;
}

}  // namespace duetbench::stats

namespace duetbench {
namespace {

// The pairs of a run that have times and were not samples of a variant alone.
std::vector<stats::ShownPair> TimedPairs(const RunResult& run, bool cpu_time, double ns_per_tick) {
  std::vector<stats::ShownPair> pairs;
  for (const PairRecord& pair : run.pairs) {
    if ((pair.flags & (kNoTime | kAlone)) != 0) continue;
    stats::ShownPair shown;
    shown.disturbed =
        (pair.flags & (kOldPreempted | kNewPreempted | kOldMigrated | kNewMigrated)) != 0;
    for (int v = 0; v < 2; ++v) {
      const double ns = cpu_time ? pair.cpu_ns[v] : pair.ticks[v] * ns_per_tick;
      shown.time[v] = ns / static_cast<double>(std::max<uint64_t>(1, pair.iterations[v]));
    }
    if (shown.time[0] > 0 && shown.time[1] > 0) pairs.push_back(shown);
  }
  return pairs;
}

}  // namespace

stats::PairDigest DigestOfExperiment(const Comparison& result, double ns_per_tick) {
  const Estimate* const estimate = result.estimate();
  if (estimate == nullptr) return {};
  stats::PairDigest digest = stats::DigestOfPairs(estimate->run_pairs);
  std::vector<std::vector<stats::ShownPair>> runs;
  for (const RunResult& run : result.results) {
    runs.push_back(TimedPairs(run, result.cpu_time, ns_per_tick));
  }
  digest.picture = stats::PictureOfMiddleRun(runs);
  return digest;
}

}  // namespace duetbench
