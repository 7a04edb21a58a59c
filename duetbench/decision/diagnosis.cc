#include "duetbench/decision/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "duetbench/decision/pairing_gain.h"
#include "duetbench/stats/distributions.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/hypothesis_tests.h"
#include "duetbench/stats/robust.h"
#include "duetbench/stats/series.h"

namespace duetbench::stats {
namespace {

constexpr std::size_t kMinRunsNeeded = 3;  // for a t test over runs
constexpr std::size_t kMinRunsTrend = 8;   // Mann-Kendall cannot reach kDiagnosisAlpha below
constexpr std::size_t kMaxRunsTrend = 2000;
constexpr double kMinCorrelation = 0.2;
constexpr double kGainAlpha = 0.005;

// Summary of the log-ratios of one run.
struct RunSummary {
  double value = 0;  // the run's estimate
  double mean = 0;   // the same without trimming
  // Trimmed mean under assignment 0 less that under 1, where both have strata of two pairs.
  std::optional<double> side_difference;
};

RunSummary Summarize(const RunPairs& run, const std::vector<double>& log_ratios) {
  RunSummary summary;
  const std::vector<std::vector<std::size_t>> strata = Strata(run);
  std::vector<double> levels[2];  // of strata with two pairs, by assignment
  for (const std::vector<std::size_t>& positions : strata) {
    std::vector<double> logs;
    for (const std::size_t position : positions) logs.push_back(log_ratios[position]);
    summary.mean += Mean(logs) / static_cast<double>(strata.size());
    const double trimmed = TrimmedMean(std::move(logs), kTrimFraction);
    summary.value += trimmed / static_cast<double>(strata.size());
    if (positions.size() >= 2) levels[run[positions[0]].assignment].push_back(trimmed);
  }
  if (!levels[0].empty() && !levels[1].empty()) {
    summary.side_difference = Mean(levels[0]) - Mean(levels[1]);
  }
  return summary;
}

double Spread(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most - *least;
}

// The t test over runs, if there are enough of them.
std::optional<Effect> MeanEffect(const std::vector<double>& differences) {
  if (differences.size() < kMinRunsNeeded) return std::nullopt;
  const TTest test = PairedTTest(differences);
  // Equal times everywhere leave differences of some 1e-16, without spread and so 'significant'.
  if (std::fabs(test.difference) < kRounding) return Effect{test.difference, 1.0, false};
  return Effect{test.difference, test.p, test.p <= kDiagnosisAlpha};
}

// Pearson's correlation within strata. Their own means are taken away, because the level of both
// variants differs from run to run for reasons that pairing need not cancel.
class PooledCorrelation {
 public:
  void Add(const RunPairs& run) {
    for (const std::vector<std::size_t>& positions : Strata(run)) {
      if (positions.size() < 2) continue;
      std::vector<double> old_logs;
      std::vector<double> new_logs;
      for (const std::size_t position : positions) {
        old_logs.push_back(std::log(run[position].old_time));
        new_logs.push_back(std::log(run[position].new_time));
      }
      const double old_mean = Mean(old_logs);
      const double new_mean = Mean(new_logs);
      // Deviations that are rounding errors of equal times must not count as a correlation.
      const double old_noise = 1e-12 * std::max(1.0, std::fabs(old_mean));
      const double new_noise = 1e-12 * std::max(1.0, std::fabs(new_mean));
      for (std::size_t i = 0; i < old_logs.size(); ++i) {
        const double x = old_logs[i] - old_mean;
        const double y = new_logs[i] - new_mean;
        if (std::fabs(x) > old_noise) old_squares_ += x * x;
        if (std::fabs(y) > new_noise) new_squares_ += y * y;
        products_ += x * y;
      }
    }
  }

  std::optional<double> Value() const {
    if (!(old_squares_ > 0) || !(new_squares_ > 0)) return std::nullopt;
    return std::clamp(products_ / std::sqrt(old_squares_ * new_squares_), -1.0, 1.0);
  }

 private:
  double old_squares_ = 0;
  double new_squares_ = 0;
  double products_ = 0;
};

// The largest gain that a spread estimated from R runs is likely to suggest by chance: it falls
// short of the truth by the root of chi-square over its degrees of freedom.
double GainByChance(std::size_t runs) {
  const double nu = static_cast<double>(runs) - 1;
  return std::sqrt(nu / ChiSquaredQuantile(nu, kGainAlpha));
}

std::optional<Effect> RunDrift(const std::vector<double>& values) {
  if (values.size() < kMinRunsTrend) return std::nullopt;
  // Means of consecutive runs, because both methods look at all pairs of values.
  const std::size_t batch = 1 + (values.size() - 1) / kMaxRunsTrend;
  const std::vector<double> series =
      batch == 1 ? values : BatchMeans(values, values.size() / batch);
  const double change = TheilSenSlope(series) * static_cast<double>(series.size() - 1);
  const double p = std::fabs(change) < kRounding ? 1.0 : MannKendallTest(series).p;
  return Effect{change, p, p <= kDiagnosisAlpha};
}

std::optional<TailDifference> Tails(const std::vector<double>& means,
                                    const std::vector<double>& values) {
  std::vector<double> differences(means.size());
  for (std::size_t r = 0; r < means.size(); ++r) differences[r] = means[r] - values[r];
  const std::optional<Effect> difference = MeanEffect(differences);
  if (!difference.has_value()) return std::nullopt;
  return TailDifference{Mean(means), Mean(values), difference->p, difference->significant};
}

}  // namespace

absl::StatusOr<Diagnosis> Diagnose(absl::Span<const RunPairs> runs, std::uint64_t seed) {
  if (absl::Status status = CheckRuns(runs); !status.ok()) return status;
  Diagnosis diagnosis{};
  diagnosis.runs = runs.size();
  std::vector<double> values;
  std::vector<double> means;
  std::vector<double> side_differences;
  PooledCorrelation correlation;
  double lag1_sum = 0;
  double lag1_runs = 0;
  double pair_variance = 0;   // of an influence value
  double value_variance = 0;  // of a run value, as far as its pairs explain it
  double variance_runs = 0;
  for (const RunPairs& run : runs) {
    diagnosis.pairs += run.size();
    const RunSummary summary = Summarize(run, LogRatios(run));
    values.push_back(summary.value);
    means.push_back(summary.mean);
    if (summary.side_difference.has_value()) side_differences.push_back(*summary.side_difference);
    correlation.Add(run);
    if (run.size() >= 3) {
      const std::vector<double> influence = InfluenceValues(run, Estimator::kTrimmed);
      // Rounding errors of equal times are often alike from pair to pair.
      if (Spread(influence) < kRounding) continue;
      lag1_sum += Lag1(influence);
      lag1_runs += 1;
      const double variance = Variance(influence);
      pair_variance += variance;
      value_variance += variance / static_cast<double>(run.size());
      variance_runs += 1;
    }
  }

  diagnosis.correlation = correlation.Value();
  if (lag1_runs > 0) diagnosis.lag1 = lag1_sum / lag1_runs;
  if (runs.size() >= 2 && pair_variance > 0) {
    const double between = Variance(values) - value_variance / variance_runs;
    diagnosis.run_to_noise = std::sqrt(std::max(0.0, between) * variance_runs / pair_variance);
  }
  if (const auto gain = ComputePairingGain(runs, seed)) {
    diagnosis.pairing_gain = gain->within;
    diagnosis.pairing_gain_all = gain->all;
    diagnosis.pairing_helped = gain->all >= GainByChance(runs.size()) &&
                               diagnosis.correlation.value_or(0) >= kMinCorrelation;
  }
  diagnosis.side_bias = MeanEffect(side_differences);
  diagnosis.clusters = FindClusters(values);
  diagnosis.run_drift = RunDrift(values);
  diagnosis.tails = Tails(means, values);
  return diagnosis;
}

}  // namespace duetbench::stats
