#include "duetbench/decision/run_weights.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "duetbench/stats/decision_policy.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"
#include "duetbench/stats/series.h"

namespace duetbench::stats {
namespace {

constexpr int kBisections = 60;

// The weight of each run; they add up to 1.
std::vector<double> Weights(absl::Span<const double> variances, double between) {
  std::vector<double> weights;
  double sum = 0;
  for (const double variance : variances) {
    weights.push_back(1 / (variance + between));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

double WeightedMean(absl::Span<const double> values, absl::Span<const double> weights) {
  double mean = 0;
  for (std::size_t i = 0; i < values.size(); ++i) mean += weights[i] * values[i];
  return mean;
}

// The sum of the squared deviations from the weighted mean, in units of their variances.
double Heterogeneity(absl::Span<const double> values, absl::Span<const double> variances,
                     double between) {
  const double mean = WeightedMean(values, Weights(variances, between));
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += (values[i] - mean) * (values[i] - mean) / (variances[i] + between);
  }
  return sum;
}

// The variance between the runs with which the heterogeneity is what it is expected to be.
double VarianceBetween(absl::Span<const double> values, absl::Span<const double> variances) {
  const double expected = static_cast<double>(values.size()) - 1;
  if (Heterogeneity(values, variances, 0) <= expected) return 0;
  double lo = 0;
  double hi = Variance(values);
  while (Heterogeneity(values, variances, hi) > expected) hi *= 2;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = (lo + hi) / 2;
    (Heterogeneity(values, variances, middle) > expected ? lo : hi) = middle;
  }
  return hi;
}

// True if runs of little weight have another ratio: the weighted mean and that of all runs alike
// differ by more than their errors explain.
bool ChangeTheRatio(absl::Span<const double> weights, absl::Span<const double> values,
                    absl::Span<const double> variances, double between) {
  const double equal = 1 / static_cast<double>(values.size());
  double difference = 0;
  double variance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double contrast = weights[i] - equal;
    difference += contrast * values[i];
    variance += contrast * contrast * (variances[i] + between);
  }
  return std::abs(difference) > kDecision.errors_of_change * std::sqrt(variance);
}

}  // namespace

double WithinRunVariance(const RunPairs& run, Estimator estimator) {
  if (run.size() < kDecision.min_pairs_of_variance) return std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> influence = InfluenceValues(run, estimator);
  const std::vector<double> batches =
      BatchMeans(influence, std::min(kDecision.batches_of_run, run.size() / 2));
  return Variance(batches) / static_cast<double>(batches.size());
}

std::vector<double> WeightedRunValues(absl::Span<const double> run_log_ratios,
                                      absl::Span<const double> variances) {
  Require(run_log_ratios.size() == variances.size(), "each run has a variance");
  std::vector<double> values(run_log_ratios.begin(), run_log_ratios.end());
  const bool are_known = std::all_of(variances.begin(), variances.end(),
                                     [](double variance) { return std::isfinite(variance); });
  if (values.size() < kDecision.many_runs || !are_known) return values;
  std::vector<double> floored(variances.begin(), variances.end());
  const double median = Median(floored);
  if (!(median > 0)) return values;
  for (double& variance : floored) variance = std::max(variance, median);

  const double between = VarianceBetween(values, floored);
  const std::vector<double> weights = Weights(floored, between);
  if (ChangeTheRatio(weights, values, floored, between)) return values;
  const double mean = WeightedMean(values, weights);
  double sum_of_squares = 0;
  for (const double weight : weights) sum_of_squares += weight * weight;
  const double others = static_cast<double>(values.size()) - 1;
  const double scale = TwoSidedT(kDecision.alpha_of_weights, 1 / sum_of_squares - 1) /
                       TwoSidedT(kDecision.alpha_of_weights, others);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = scale * others * weights[i] / (1 - weights[i]) * (values[i] - mean);
  }
  const double shift = mean - Mean(values);
  for (double& value : values) value += shift;
  return values;
}

}  // namespace duetbench::stats
