#include "duetbench/decide/stationarity.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>

#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/decide/pairs.h"
#include "duetbench/decide/run_value.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/record/robust.h"

namespace duetbench {
namespace {

constexpr double kLargePositionEffect = 0.05;  // chosen
// Source: chosen; a change of 5 % in the other iterations is then at least 4 % of the short calls.
constexpr double kExpensiveFirstIterations = 0.22;

// Times and iterations of the pairs of a run up to one of them.
struct Sums {
  double ticks[2] = {0, 0};
  double iterations[2] = {0, 0};

  void Add(const double* pair_ticks, const PairRecord& pair) {
    for (int v = 0; v < 2; ++v) {
      ticks[v] += pair_ticks[v];
      iterations[v] += static_cast<double>(pair.iterations[v]);
    }
  }
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
    if ((pair.flags & (kDisturbed | kNoTime | kSolo)) != 0) continue;
    records.push_back(&pair);
    pairs.push_back({pair.ticks[0], pair.ticks[1], static_cast<int>(pair.assignment)});
    for (int v = 0; v < 2; ++v) pairs.back().probe_ns[v] = static_cast<float>(pair.probe_ticks[v]);
  }
  std::vector<const PairRecord*> quiet;
  for (const size_t i : stats::QuietPairs(pairs)) quiet.push_back(records[i]);
  return quiet;
}

// The `i`th sample of a variant, with the median of the times per iteration of itself and of its
// neighbors with the same assignment. A part of the input lasts for several samples; a single one
// that is long says how long the process was stopped.
double TicksAmongNeighbors(const std::vector<const PairRecord*>& pairs, size_t i, int variant) {
  const auto time = [&](size_t at) {
    return pairs[at]->ticks[variant] / static_cast<double>(pairs[at]->iterations[variant]);
  };
  const size_t middle = i < 2 ? i + 2 : i + 2 < pairs.size() ? i : i - 2;
  const auto [less, more] = std::minmax({time(middle - 2), time(middle + 2)});
  return std::clamp(time(middle), less, more) * static_cast<double>(pairs[i]->iterations[variant]);
}

// The sums of the first 0, 1, 2, … of these pairs.
std::vector<Sums> SumsOfFirst(const std::vector<const PairRecord*>& pairs) {
  std::vector<Sums> sums(1);
  for (size_t i = 0; i < pairs.size(); ++i) {
    double ticks[2];
    for (int v = 0; v < 2; ++v) {
      const bool has_neighbors = pairs.size() >= kFewestPairsOfPositions;
      ticks[v] = has_neighbors ? TicksAmongNeighbors(pairs, i, v) : pairs[i]->ticks[v];
    }
    sums.push_back(sums.back());
    sums.back().Add(ticks, *pairs[i]);
  }
  return sums;
}

// All pairs, if there are no undisturbed ones: long calls.
Sums SumsOf(const RunResult& run) {
  std::vector<const PairRecord*> pairs = UndisturbedPairs(run);
  if (pairs.empty()) {
    for (const PairRecord& pair : run.pairs) {
      if ((pair.flags & kNoTime) == 0) pairs.push_back(&pair);
    }
  }
  return SumsOfFirst(pairs).back();
}

// Even numbers have as many pairs with each assignment.
size_t Even(double pairs) { return static_cast<size_t>(pairs) / 2 * 2; }

// The sums of the first 0, 1, 2, … undisturbed pairs; nothing where there are too few.
std::vector<Sums> SumsOfPairs(const RunResult& run) {
  const std::vector<const PairRecord*> records = UndisturbedPairs(run);
  if (records.size() < kFewestPairsOfPositions) return {};
  std::vector<Sums> sums = SumsOfFirst(records);
  sums.resize(Even(static_cast<double>(records.size())) + 1);
  return sums;
}

using Runs = std::vector<std::vector<Sums>>;  // SumsOfPairs of each

// ln of the ratio of each run between two shares of its pairs, less that of the whole.
std::vector<double> Between(const Runs& runs, double from, double to) {
  std::vector<double> log_ratios;
  for (const std::vector<Sums>& sums : runs) {
    const auto at = [&](double share) {
      return sums[Even(share * static_cast<double>(sums.size() - 1))];
    };
    log_ratios.push_back(LogRatio(at(from), at(to)) - LogRatio(sums[0], sums.back()));
  }
  return log_ratios;
}

// Positions, as shares of a run, are the ends of its parts of the same length, from the middle on.
constexpr size_t kParts = 2 * kPositions;
double EndOfPart(size_t part) { return static_cast<double>(part) / kParts; }

// ln of the ratio in windows of a length, less that of the whole: its mean over their beginnings,
// and its largest distance from that.
struct Windows {
  double log_ratio = 0;
  double distance = std::numeric_limits<double>::infinity();
};
Windows WindowsOf(const Runs& runs, double share) {
  constexpr int kLastBeginning = 16;
  std::vector<double> at_beginnings;
  for (int beginning = 0; beginning <= kLastBeginning; ++beginning) {
    const double from = (1 - share) * beginning / kLastBeginning;
    at_beginnings.push_back(stats::Mean(Between(runs, from, from + share)));
  }
  Windows windows = {stats::Mean(at_beginnings), 0};
  for (const double log_ratio : at_beginnings) {
    windows.distance = std::max(windows.distance, std::abs(log_ratio - windows.log_ratio));
  }
  return windows;
}

// The number of times that the ratio goes from one side of that of the whole to the other one.
int ChangesOfSide(const std::vector<double>& parts) {
  constexpr double kLeastPart = 0.02;  // chosen: smaller ones may be noise
  int changes = 0;
  double last = 0;
  for (const double part : parts) {
    if (!(std::abs(part) >= kLeastPart)) continue;  // nor is one without samples
    changes += last * part < 0 ? 1 : 0;
    last = part;
  }
  return changes;
}

// Enters what whole passes through the input tell, if these parts of the runs return to their side.
void TakeWholePasses(const Runs& runs, const std::vector<double>& parts, PositionEffect* effect) {
  constexpr int kLengths = 32;
  const int changes = ChangesOfSide(parts);
  const bool are_several = effect->log_ratio < kLargePositionEffect || changes > 2;
  if (!are_several && changes < 2) return;
  Windows steadiest;
  double taper = 0;
  for (int i = 0; i <= kLengths; ++i) {
    const double share = (1 + static_cast<double>(i) / kLengths) / 3;
    const Windows windows = WindowsOf(runs, share);
    if (!(windows.distance < steadiest.distance)) continue;
    steadiest = windows;
    taper = std::min(share, 1 - share);
  }
  const double from_whole = std::abs(steadiest.log_ratio);
  const double error = are_several ? std::max(2 * steadiest.distance, from_whole)
                                   : std::max(4 * steadiest.distance, 3 * from_whole);
  if (!are_several && error >= effect->error) return;
  effect->error = error;
  effect->taper = taper;
}

// Sums of the runs whose calls have that number of iterations, each of a call of mean time.
Sums MeanCall(absl::Span<const RunResult> results, uint64_t iterations) {
  Sums mean;
  for (const RunResult& run : results) {
    if (run.batch != iterations) continue;
    const Sums sums = SumsOf(run);
    for (int v = 0; v < 2 && sums.iterations[v] > 0; ++v) {
      mean.ticks[v] += sums.ticks[v] / sums.iterations[v];
      mean.iterations[v] += 1;
    }
  }
  for (int v = 0; v < 2; ++v) {
    mean.ticks[v] *= static_cast<double>(iterations) / mean.iterations[v];
    mean.iterations[v] = static_cast<double>(iterations);
  }
  return mean;
}

// Sum of the squared distances from the mean.
double SumOfSquares(absl::Span<const double> values) {
  return values.size() < 2 ? 0 : stats::Variance(values) * static_cast<double>(values.size() - 1);
}

// P-value of an F test that calls of each of these lengths have the same ratio, by the variance
// between runs of one length. 0 where no length has two runs.
double POfSameRatio(absl::Span<const RunResult> results, const std::set<uint64_t>& lengths) {
  std::vector<double> all;
  double within = 0;
  for (const uint64_t length : lengths) {
    std::vector<double> of_length;
    for (const RunResult& run : results) {
      const double log_ratio = run.batch == length ? LogRatio({}, SumsOf(run)) : NAN;
      if (std::isfinite(log_ratio)) of_length.push_back(log_ratio);
    }
    within += SumOfSquares(of_length);
    all.insert(all.end(), of_length.begin(), of_length.end());
  }
  const double between = std::max(0.0, SumOfSquares(all) - within);
  const auto numerator = static_cast<double>(lengths.size() - 1);
  const double denominator = static_cast<double>(all.size()) - numerator - 1;
  if (!(denominator > 0 && within > 0)) return 0;
  return stats::FisherFTail(numerator, denominator, between / numerator / (within / denominator));
}

PositionEffect EffectOf(double before, double behind, const std::vector<double>& parts, double p,
                        bool are_long) {
  PositionEffect effect{before, PositionError(before, behind), /*taper=*/0, p, are_long};
  if (are_long && SeesAPart(before, parts)) effect.error = std::numeric_limits<double>::infinity();
  return effect;
}

// Nothing if all calls have one length, as they do if there is no effect, or it was not chosen:
// executions of programs end by time.
std::optional<PositionEffect> EffectOfLengths(absl::Span<const RunResult> results) {
  std::set<uint64_t> lengths;
  for (const RunResult& run : results) {
    if (run.depends_on_position) lengths.insert(run.batch);
  }
  if (lengths.size() < 2) return std::nullopt;
  const Sums longest = MeanCall(results, *lengths.rbegin());
  const double whole = LogRatio({}, longest);
  double before = 0;
  double most_behind = 0;
  std::vector<double> parts;
  Sums shorter;
  for (const uint64_t length : lengths) {
    const Sums call = MeanCall(results, length);
    before = std::max(before, std::abs(LogRatio({}, call) - whole));
    // Noise may leave no time for them.
    const double behind = length == *lengths.rbegin() ? 0 : LogRatio(call, longest) - whole;
    if (std::isfinite(behind)) most_behind = std::max(most_behind, std::abs(behind));
    const double part = LogRatio(shorter, call) - whole;
    if (std::isfinite(part)) parts.push_back(part);
    shorter = call;
  }
  // The distance may be noise; then it says nothing of the parts of the input.
  constexpr double kAlphaOfParts = 0.05;  // chosen
  if (POfSameRatio(results, lengths) > kAlphaOfParts) {
    return PositionEffect{before, PositionError(before, /*behind=*/0), /*taper=*/0, /*p=*/0,
                          /*are_long=*/true};
  }
  return EffectOf(before, most_behind, parts, /*p=*/0, /*are_long=*/true);
}

}  // namespace

double PositionError(double before, double behind) {
  const double twice = 2 * std::abs(before);
  return std::clamp(std::abs(behind), twice,
                    twice * std::max(1.0, std::abs(before) / kLargePositionEffect));
}

bool SeesAPart(double before, const std::vector<double>& parts) {
  return std::abs(before) > kLargePositionEffect && ChangesOfSide(parts) < 2;
}

std::optional<HeadEffects> EffectsOfHead(const RunResult& run, double share) {
  const Runs runs(1, SumsOfPairs(run));
  if (runs[0].empty()) return std::nullopt;
  const double head = std::max(share, kPositions / static_cast<double>(runs[0].size() - 1));
  HeadEffects effects;
  for (size_t i = 0; i < kPositions; ++i) {
    effects[i] = Between(runs, 0, head * EndOfPart(kPositions + i)).front();
  }
  return effects;
}

HeadEffects EffectsOfShortCalls(const RunResult& short_calls, const RunResult& long_calls) {
  HeadEffects effects{};
  const Sums of_short = SumsOf(short_calls);
  const Sums of_long = SumsOf(long_calls);
  if (of_short.iterations[0] == 0 || of_long.iterations[0] == 0) return effects;
  effects.fill(LogRatio({}, of_short) - LogRatio({}, of_long));
  for (int v = 0; v < 2; ++v) {
    const double slower = std::log(of_short.ticks[v] / of_short.iterations[v] /
                                   (of_long.ticks[v] / of_long.iterations[v]));
    if (slower > kExpensiveFirstIterations) effects.fill(slower);
  }
  return effects;
}

PositionEffect FindPositionEffect(absl::Span<const RunResult> results) {
  if (const auto of_lengths = EffectOfLengths(results)) return *of_lengths;
  Runs runs;
  bool are_long = false;
  for (const RunResult& result : results) {
    are_long |= result.depends_on_position;
    std::vector<Sums> sums = SumsOfPairs(result);
    if (!sums.empty()) runs.push_back(std::move(sums));
  }
  if (runs.empty()) return {};
  const bool is_tested = runs.size() >= kMeasuringPolicy.min_runs_of_drift;
  double log_ratio = 0;
  double p = 1;
  double most_behind = 0;
  for (size_t part = kPositions; part < kParts; ++part) {
    const std::vector<double> before = Between(runs, 0, EndOfPart(part));
    const double mean = stats::Mean(before);
    most_behind = std::max(most_behind, std::abs(stats::Mean(Between(runs, EndOfPart(part), 1))));
    if (std::abs(mean) <= log_ratio) continue;
    log_ratio = std::abs(mean);
    p = is_tested ? std::min(1.0, kPositions * stats::PairedTTest(before).p) : 1;
  }
  std::vector<double> parts;
  for (size_t part = 0; part < kParts; ++part) {
    parts.push_back(stats::Mean(Between(runs, EndOfPart(part), EndOfPart(part + 1))));
  }
  PositionEffect effect = EffectOf(log_ratio, most_behind, parts, p, are_long);
  // Each look at short runs comes here, and nobody asks for the error of an effect that they do not
  // show.
  const bool is_none = is_tested && p > kMeasuringPolicy.drift_alpha && !are_long;
  if (!is_none) TakeWholePasses(runs, parts, &effect);
  return effect;
}

bool IsNotable(const PositionEffect& effect, double margin) {
  return effect.p <= kMeasuringPolicy.drift_alpha &&
         effect.log_ratio > kMeasuringPolicy.notable_share_of_margin * std::log1p(margin);
}

}  // namespace duetbench
