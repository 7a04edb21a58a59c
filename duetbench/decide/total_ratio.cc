#include "duetbench/decide/total_ratio.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

constexpr double kNone = 1e-6;  // a sum of weights, up to rounding

// Up to this share of the samples with slow calls, most of them have one.
constexpr double kFewSlow = 0.3;

// Per pair, both assignments with equal weight.
double MeanTime(const RunTotals& totals, std::size_t variant) {
  double mean = 0;
  for (std::size_t a = 0; a < 2; ++a) {
    if (totals.pairs[a] > kNone) mean += totals.time[a][variant] / totals.pairs[a];
  }
  return mean;
}

double LogRatio(const RunTotals& totals) {
  return std::log(MeanTime(totals, 1) / MeanTime(totals, 0));
}

void AddSums(const RunTotals& other, double sign, RunTotals* sums) {
  for (std::size_t a = 0; a < 2; ++a) {
    sums->pairs[a] += sign * other.pairs[a];
    for (std::size_t v = 0; v < 2; ++v) sums->time[a][v] += sign * other.time[a][v];
  }
}

using Excess = RunTotals::Excess;

void Add(const Excess& other, Excess* excess) {
  excess->sum += other.sum;
  excess->squares += other.squares;
  excess->largest = std::max(excess->largest, other.largest);
}

void Add(const RunTotals::SlowSamples& other, RunTotals::SlowSamples* slow) {
  slow->count += other.count;
  slow->sum += other.sum;
  slow->squares += other.squares;
}

// The ends of the interval of the expected excess at 1 - alpha (Fay and Feuer 1997).
std::pair<double, double> GammaInterval(const Excess& excess, double alpha) {
  if (!(excess.sum > 0)) return {0, 0};
  const double lo = excess.squares / (2 * excess.sum) *
                    ChiSquaredQuantile(2 * excess.sum * excess.sum / excess.squares, alpha / 2);
  const double sum = excess.sum + excess.largest;
  const double squares = excess.squares + excess.largest * excess.largest;
  const double hi =
      squares / (2 * sum) * ChiSquaredUpperQuantile(2 * sum * sum / squares, alpha / 2);
  return {lo, hi};
}

void AddSlowMoments(const RunPairs& run, RunTotals* totals) {
  const double least = std::max(totals->median[0], totals->median[1]);
  int last = -1;
  for (const Pair& pair : run) {
    const bool slow[2] = {pair.old_time - totals->median[0] >= least,
                          pair.new_time - totals->median[1] >= least};
    const int now = slow[0] == slow[1] ? -1 : (slow[1] ? 1 : 0);
    if (now >= 0 && now != last) totals->slow_moments[now] += 1;
    last = now;
  }
}

void AddTimes(std::vector<double> times, std::size_t variant, bool are_events, RunTotals* totals) {
  const auto base_at = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 10);
  std::nth_element(times.begin(), base_at, times.end());
  const double base = *base_at;
  totals->median[variant] = Median(times);
  for (const double time : times) {
    const double over = time - kDecision.event_factor * totals->median[variant];
    if (over > 0 && are_events) Add(Excess{over, over * over, over}, &totals->excess[variant]);
    const double slow = time / base - 1;  // in samples
    if (slow >= 0.5) Add(RunTotals::SlowSamples{1, slow, slow * slow}, &totals->slow[variant]);
  }
}

// Two-sided, of `hits` among `all` with probability `q` each.
double BinomialP(double hits, double all, double q) {
  if (all < 1) return 1;
  const double below = BinomialCdf(all, q, hits);
  const double above = hits < 0.5 ? 1 : BinomialTail(all, q, hits - 1);
  return std::min(1.0, 2 * std::min(below, above));
}

double CountsP(absl::Span<const RunTotals> runs) {
  double all[2] = {0, 0};
  std::vector<double> shares;  // of the time of both: a run of few pairs may have any
  for (const RunTotals& run : runs) {
    for (int v = 0; v < 2; ++v) all[v] += run.slow_moments[v];
    shares.push_back(run.median[1] / (run.median[0] + run.median[1]));
  }
  const double q = Median(std::move(shares));
  const int more = all[1] >= q * (all[0] + all[1]) ? 1 : 0;
  if (runs.size() >= kDecision.min_runs_of_test) {
    const auto most =
        std::max_element(runs.begin(), runs.end(), [&](const RunTotals& a, const RunTotals& b) {
          return a.slow_moments[more] - a.slow_moments[1 - more] <
                 b.slow_moments[more] - b.slow_moments[1 - more];
        });
    for (int v = 0; v < 2; ++v) all[v] -= most->slow_moments[v];
  }
  return BinomialP(all[1], all[0] + all[1], q);
}

double RunsP(const std::vector<double>& run_values, absl::Span<const double> run_log_ratios) {
  if (run_values.size() < kDecision.min_runs_of_test || run_values.size() != run_log_ratios.size())
    return 1;
  std::vector<double> differences(run_values.size());
  for (std::size_t r = 0; r < run_values.size(); ++r) {
    differences[r] = run_values[r] - run_log_ratios[r];
  }
  const TTest test = PairedTTest(differences);
  return std::fabs(test.difference) < kRounding ? 1 : test.p;
}

// From `n` samples of `iterations` of a variant, in units of an iteration's time.
SlowCalls SlowCallsOf(const RunTotals::SlowSamples& slow, double n, double iterations) {
  if (slow.count < 2) return {};
  if (iterations <= 1 || slow.count <= kFewSlow * n) {
    return {n * iterations / slow.count, slow.sum / slow.count * iterations + 1};
  }
  // Samples with several slow calls, whose number is Poisson distributed: mean = l s and variance =
  // l s^2 for l calls a sample that take s.
  const double mean = slow.sum / n;
  const double variance = slow.squares / n - mean * mean;
  if (!(variance > 0)) return {};
  return {iterations * variance / (mean * mean), variance / mean * iterations + 1};
}

// Distances of the ends of the interval of the logarithm from the estimate, due to the excess of
// both variants alone, other times taken as known.
std::pair<double, double> EventEnds(const RunTotals& all, double alpha) {
  // The sides are independent: the distances from the estimates add up in squares (Zou and Donner,
  // Statistics in Medicine 2008).
  double below = 0;
  double above = 0;
  for (int v = 0; v < 2; ++v) {
    const double total = all.time[0][v] + all.time[1][v];
    const auto [lo, hi] = GammaInterval(all.excess[v], alpha);
    const double rest = total - all.excess[v].sum;
    const double down = std::log(total / (rest + lo));
    const double up = std::log((rest + hi) / total);
    below += v == 1 ? down * down : up * up;
    above += v == 1 ? up * up : down * down;
  }
  return {std::sqrt(below), std::sqrt(above)};
}

}  // namespace

double Weight(double taper, std::size_t i, std::size_t n) {
  const double from_end = std::min(static_cast<double>(i) + 0.5, static_cast<double>(n - i) - 0.5);
  const double rise = taper * static_cast<double>(n);
  return (from_end < rise ? from_end / rise : 1) / (1 - taper);
}

RunTotals TotalsOf(const RunPairs& run, double taper) {
  RunTotals totals;
  std::vector<double> times[2];
  for (std::size_t i = 0; i < run.size(); ++i) {
    const Pair& pair = run[i];
    const auto a = static_cast<std::size_t>(pair.assignment);
    const double weight = Weight(taper, i, run.size());
    totals.time[a][0] += weight * pair.old_time;
    totals.time[a][1] += weight * pair.new_time;
    totals.pairs[a] += weight;
    times[0].push_back(pair.old_time);
    times[1].push_back(pair.new_time);
  }
  for (std::size_t v = 0; v < 2; ++v)
    AddTimes(std::move(times[v]), v, /*are_events=*/taper == 0, &totals);
  AddSlowMoments(run, &totals);
  return totals;
}

RunTotals Merged(absl::Span<const RunTotals> runs) {
  RunTotals all;
  double pairs = 0;
  for (const RunTotals& run : runs) {
    AddSums(run, 1, &all);
    const double of_run = run.pairs[0] + run.pairs[1];
    pairs += of_run;
    for (int v = 0; v < 2; ++v) {
      all.median[v] += of_run * run.median[v];
      all.slow_moments[v] += run.slow_moments[v];
      Add(run.excess[v], &all.excess[v]);
      Add(run.slow[v], &all.slow[v]);
    }
  }
  for (double& median : all.median) median /= pairs;
  return all;
}

TotalRatio ComputeTotalRatio(const TotalInput& input, double level, double share) {
  Require(input.runs.size() >= 2 && input.run_log_ratios.size() == input.runs.size(),
          "the ratio of the totals needs two runs, and the typical log-ratio of each");
  Require(CheckLevel(level).ok() && share > 0 && share <= 1,
          "the level of the ratio of totals is in (0, 1), the share in (0, 1]");
  const RunTotals all = Merged(input.runs);
  const double estimate = LogRatio(all);
  const auto n = static_cast<double>(input.runs.size());
  TotalRatio total{};
  for (const RunTotals& one : input.runs) {
    RunTotals rest = all;
    AddSums(one, -1, &rest);
    total.run_values.push_back(n * estimate - (n - 1) * LogRatio(rest));
  }
  const double shift = estimate - Mean(total.run_values);
  for (double& value : total.run_values) value += shift;

  const double alpha = (1 - level) * share;
  const double half = TwoSidedT(alpha, n - 1) * StandardDeviation(total.run_values) / std::sqrt(n);
  const auto [below, above] = EventEnds(all, alpha);
  total.interval = {std::exp(estimate), std::exp(estimate - std::max(half, below)),
                    std::exp(estimate + std::max(half, above)), level};
  total.p = std::min(
      1.0, 2 * std::min(RunsP(total.run_values, input.run_log_ratios), CountsP(input.runs)));
  const double difference = std::fabs(estimate - Mean(input.run_log_ratios));
  total.differs = total.p <= kDecision.tail_alpha && difference >= std::max(input.least, kRounding);
  for (int v = 0; v < 2; ++v) {
    total.slow_calls[v] =
        SlowCallsOf(all.slow[v], all.pairs[0] + all.pairs[1], input.iterations[v]);
  }
  return total;
}

std::optional<double> OpenTotal(const TotalRatio& total, const RatioInterval& typical) {
  const double difference = std::log(total.interval.ratio / typical.ratio);
  const bool lie_apart = std::abs(difference) > std::log1p(kDecision.max_without_tails);
  if (total.differs || !lie_apart) return std::nullopt;
  return total.interval.ratio;
}

double LeastNotable(double margin) { return kDecision.notable_part * margin; }

double RarestSeen(double calls) { return calls / std::log(100.0); }

}  // namespace duetbench::stats
