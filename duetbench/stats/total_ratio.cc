#include "duetbench/stats/total_ratio.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <utility>

#include "duetbench/stats/hypothesis_tests.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kParts = 10;       // of a single run
constexpr std::size_t kMinRunsTest = 3;  // for a t test
// A difference that is less than this part of the margin does not matter.
constexpr double kNotablePart = 0.2;
// Excess counts as that of single events above this multiple of the median.
constexpr double kEventFactor = 3;
// Up to this share of the samples with slow calls, most of them have one.
constexpr double kFewSlow = 0.3;

// Sums of the times of some pairs: by assignment, then by variant.
struct Sums {
  std::array<std::array<double, 2>, 2> time{};
  std::array<double, 2> pairs{};

  void Add(const Sums& other, double sign) {
    for (std::size_t a = 0; a < 2; ++a) {
      pairs[a] += sign * other.pairs[a];
      for (std::size_t v = 0; v < 2; ++v) time[a][v] += sign * other.time[a][v];
    }
  }
};

Sums SumsOf(const RunPairs& run) {
  Sums sums;
  for (const Pair& pair : run) {
    const auto a = static_cast<std::size_t>(pair.assignment);
    sums.time[a][0] += pair.old_time;
    sums.time[a][1] += pair.new_time;
    sums.pairs[a] += 1;
  }
  return sums;
}

// Per pair, both assignments with equal weight.
double MeanTime(const Sums& sums, std::size_t variant) {
  double mean = 0;
  for (std::size_t a = 0; a < 2; ++a) {
    if (sums.pairs[a] > 0.5) mean += sums.time[a][variant] / sums.pairs[a];
  }
  return mean;
}

double LogRatio(const Sums& sums) { return std::log(MeanTime(sums, 1) / MeanTime(sums, 0)); }

// Excess of one variant over its typical time, relative to its total time, as weights of events.
struct Excess {
  double sum = 0;
  double squares = 0;
  double largest = 0;

  void Add(double weight) {
    sum += weight;
    squares += weight * weight;
    largest = std::max(largest, weight);
  }
};

// The quantiles with probability `tail` below and above. Of a small tail 1 - tail would be 1.
double LowerChiSquared(double tail, double degrees_of_freedom) {
  return boost::math::quantile(boost::math::chi_squared(degrees_of_freedom), tail);
}
double UpperChiSquared(double tail, double degrees_of_freedom) {
  return boost::math::quantile(
      boost::math::complement(boost::math::chi_squared(degrees_of_freedom), tail));
}

// The ends of the interval of the expected excess at 1 - alpha (Fay and Feuer 1997).
std::pair<double, double> GammaInterval(const Excess& excess, double alpha) {
  if (!(excess.sum > 0)) return {0, 0};
  const double lo = excess.squares / (2 * excess.sum) *
                    LowerChiSquared(alpha / 2, 2 * excess.sum * excess.sum / excess.squares);
  const double sum = excess.sum + excess.largest;
  const double squares = excess.squares + excess.largest * excess.largest;
  const double hi = squares / (2 * sum) * UpperChiSquared(alpha / 2, 2 * sum * sum / squares);
  return {lo, hi};
}

// Numbers of separate slow moments of old alone and of new alone.
struct Counts {
  double of[2] = {0, 0};
};

// What the samples of a run say of slow ones.
struct RunTails {
  double median[2] = {0, 0};
  Counts counts;
};

RunTails TailsOf(const RunPairs& run) {
  RunTails tails;
  std::vector<double> times[2];
  for (const Pair& pair : run) {
    times[0].push_back(pair.old_time);
    times[1].push_back(pair.new_time);
  }
  for (int v = 0; v < 2; ++v) tails.median[v] = Median(std::move(times[v]));
  const double least = std::max(tails.median[0], tails.median[1]);
  int last = -1;
  for (const Pair& pair : run) {
    const bool slow[2] = {pair.old_time - tails.median[0] >= least,
                          pair.new_time - tails.median[1] >= least};
    const int now = slow[0] == slow[1] ? -1 : (slow[1] ? 1 : 0);
    if (now >= 0 && now != last) tails.counts.of[now] += 1;
    last = now;
  }
  return tails;
}

// Two-sided, of `hits` among `all` with probability `q` each.
double BinomialP(double hits, double all, double q) {
  if (all < 1) return 1;
  const boost::math::binomial_distribution<double> counts(all, q);
  const double below = boost::math::cdf(counts, hits);
  const double above = hits < 0.5 ? 1 : boost::math::cdf(boost::math::complement(counts, hits - 1));
  return std::min(1.0, 2 * std::min(below, above));
}

double CountsP(const std::vector<RunTails>& runs) {
  Counts all;
  double medians[2] = {0, 0};
  for (const RunTails& run : runs) {
    for (int v = 0; v < 2; ++v) {
      all.of[v] += run.counts.of[v];
      medians[v] += run.median[v];
    }
  }
  const double q = medians[1] / (medians[0] + medians[1]);
  const double n = all.of[0] + all.of[1];
  const int more = all.of[1] >= q * n ? 1 : 0;
  if (runs.size() >= kMinRunsTest) {
    const auto most =
        std::max_element(runs.begin(), runs.end(), [&](const RunTails& a, const RunTails& b) {
          return a.counts.of[more] - a.counts.of[1 - more] <
                 b.counts.of[more] - b.counts.of[1 - more];
        });
    for (int v = 0; v < 2; ++v) all.of[v] -= most->counts.of[v];
  }
  return BinomialP(all.of[1], all.of[0] + all.of[1], q);
}

double RunsP(const std::vector<double>& run_values, absl::Span<const double> run_log_ratios) {
  if (run_values.size() < kMinRunsTest || run_values.size() != run_log_ratios.size()) return 1;
  std::vector<double> differences(run_values.size());
  for (std::size_t r = 0; r < run_values.size(); ++r) {
    differences[r] = run_values[r] - run_log_ratios[r];
  }
  const TTest test = PairedTTest(differences);
  return std::fabs(test.difference) < kRounding ? 1 : test.p;
}

// From the times of all samples of a variant, in units of an iteration's; `iterations` of a sample.
SlowCalls SlowCallsOf(std::vector<double> times, double iterations) {
  const auto n = static_cast<double>(times.size());
  const auto base_at = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 10);
  std::nth_element(times.begin(), base_at, times.end());
  const double base = *base_at;
  double slow = 0;
  double sum = 0;
  double squares = 0;
  for (const double time : times) {
    const double excess = time / base - 1;  // in samples
    if (excess < 0.5) continue;
    slow += 1;
    sum += excess;
    squares += excess * excess;
  }
  if (slow < 2) return {};
  if (iterations <= 1 || slow <= kFewSlow * n) {
    return {n * iterations / slow, sum / slow * iterations + 1};
  }
  // Samples with several slow calls, whose number is Poisson distributed: mean = l s and variance =
  // l s^2 for l calls a sample that take s.
  const double mean = sum / n;
  const double variance = squares / n - mean * mean;
  if (!(variance > 0)) return {};
  return {iterations * variance / (mean * mean), variance / mean * iterations + 1};
}

std::vector<RunPairs> Parts(const RunPairs& run) {
  std::vector<RunPairs> parts;
  const std::size_t count = std::min(kParts, run.size() / 2);
  for (std::size_t k = 0; k < count; ++k) {
    const auto begin = run.begin() + static_cast<std::ptrdiff_t>(run.size() * k / count);
    const auto end = run.begin() + static_cast<std::ptrdiff_t>(run.size() * (k + 1) / count);
    parts.emplace_back(begin, end);
  }
  return parts;
}

absl::Status CheckTotalInput(const TotalInput& input, double level, double share) {
  if (absl::Status status = CheckRuns(input.runs); !status.ok()) return status;
  if (absl::Status status = CheckLevel(level); !status.ok()) return status;
  if (!(share > 0 && share <= 1)) return absl::InvalidArgumentError("the share is in (0, 1]");
  if (input.runs.size() != input.run_log_ratios.size()) {
    return absl::InvalidArgumentError("each run needs its typical log-ratio");
  }
  return absl::OkStatus();
}

// The interval of the logarithm from the excess of both variants alone, other times taken as known.
std::pair<double, double> EventEnds(absl::Span<const RunPairs> runs,
                                    const std::vector<RunTails>& tails, double alpha) {
  Excess excess[2];
  double total[2] = {0, 0};
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (const Pair& pair : runs[r]) {
      const double times[2] = {pair.old_time, pair.new_time};
      for (int v = 0; v < 2; ++v) {
        total[v] += times[v];
        const double over = times[v] - kEventFactor * tails[r].median[v];
        if (over > 0) excess[v].Add(over);
      }
    }
  }
  // The sides are independent: the distances from the estimates add up in squares (Zou and Donner,
  // Statistics in Medicine 2008).
  double below = 0;
  double above = 0;
  for (int v = 0; v < 2; ++v) {
    const auto [lo, hi] = GammaInterval(excess[v], alpha);
    const double rest = total[v] - excess[v].sum;
    const double down = std::log(total[v] / (rest + lo));
    const double up = std::log((rest + hi) / total[v]);
    below += v == 1 ? down * down : up * up;
    above += v == 1 ? up * up : down * down;
  }
  return {std::sqrt(below), std::sqrt(above)};
}

}  // namespace

absl::StatusOr<TotalRatio> ComputeTotalRatio(const TotalInput& input, double level, double share) {
  if (absl::Status status = CheckTotalInput(input, level, share); !status.ok()) return status;
  std::vector<RunPairs> parts;
  absl::Span<const RunPairs> runs = input.runs;
  if (runs.size() == 1) {
    parts = Parts(runs[0]);
    runs = parts;
  }
  if (runs.size() < 2) {
    return absl::InvalidArgumentError("the ratio of the totals of a single run needs four pairs");
  }

  Sums all;
  std::vector<Sums> sums;
  std::vector<RunTails> tails;
  std::vector<double> times[2];
  for (const RunPairs& run : runs) {
    sums.push_back(SumsOf(run));
    all.Add(sums.back(), 1);
    tails.push_back(TailsOf(run));
    for (const Pair& pair : run) {
      times[0].push_back(pair.old_time);
      times[1].push_back(pair.new_time);
    }
  }
  const double estimate = LogRatio(all);
  const auto n = static_cast<double>(runs.size());
  TotalRatio total{};
  for (const Sums& one : sums) {
    Sums rest = all;
    rest.Add(one, -1);
    total.run_values.push_back(n * estimate - (n - 1) * LogRatio(rest));
  }
  const double shift = estimate - Mean(total.run_values);
  for (double& value : total.run_values) value += shift;

  const double alpha = (1 - level) * share;
  const double half = TwoSidedT(alpha, n - 1) * StandardDeviation(total.run_values) / std::sqrt(n);
  const auto [below, above] = EventEnds(runs, tails, alpha);
  total.interval = {std::exp(estimate),
                    std::exp(estimate - std::max(half, below)),
                    std::exp(estimate + std::max(half, above)),
                    level,
                    IntervalKind::kT,
                    ""};
  total.p =
      std::min(1.0, 2 * std::min(RunsP(total.run_values, input.run_log_ratios), CountsP(tails)));
  const double difference = std::fabs(estimate - Mean(input.run_log_ratios));
  total.differs = total.p <= kTailAlpha && difference >= std::max(input.least, kRounding);
  for (int v = 0; v < 2; ++v) {
    total.slow_calls[v] = SlowCallsOf(std::move(times[v]), input.iterations[v]);
  }
  return total;
}

std::optional<double> OpenTotal(const TotalRatio& total, const RatioInterval& typical) {
  if (total.differs || !LieApart(total, typical)) return std::nullopt;
  return total.interval.ratio;
}

bool LieApart(const TotalRatio& total, const RatioInterval& typical) {
  constexpr double kMaxWithoutTails = 0.05;
  const double difference = std::log(total.interval.ratio / typical.ratio);
  return std::abs(difference) > std::log1p(kMaxWithoutTails);
}

double LeastNotable(double margin) { return kNotablePart * margin; }

double RarestSeen(double calls) { return calls / std::log(100.0); }

}  // namespace duetbench::stats
