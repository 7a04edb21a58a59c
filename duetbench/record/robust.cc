#include "duetbench/record/robust.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "duetbench/platform/require.h"

namespace duetbench::stats {

double Mean(absl::Span<const double> values) {
  Require(!values.empty(), "a mean needs a value");
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Variance(absl::Span<const double> values) {
  Require(values.size() >= 2, "a variance needs two values");
  const double mean = Mean(values);
  double sum = 0;
  for (double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

double StandardDeviation(absl::Span<const double> values) { return std::sqrt(Variance(values)); }

double Median(std::vector<double> values) {
  Require(!values.empty(), "a median needs a value");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double QuantileType7(absl::Span<const double> sorted, double p) {
  Require(!sorted.empty(), "a quantile needs a value");
  Require(p >= 0 && p <= 1, "the probability of a quantile lies in [0, 1]");
  const double position = static_cast<double>(sorted.size() - 1) * p;
  const auto low = static_cast<std::size_t>(position);
  const double fraction = position - static_cast<double>(low);
  if (fraction <= 0 || sorted[low] == sorted[low + 1]) return sorted[low];
  if (std::isinf(sorted[low])) return sorted[low];
  if (std::isinf(sorted[low + 1])) return sorted[low + 1];
  return sorted[low] + fraction * (sorted[low + 1] - sorted[low]);
}

std::ptrdiff_t TrimmedCount(std::size_t n, double fraction) {
  Require(fraction >= 0 && fraction < 0.5, "the trimmed fraction lies in [0, 0.5)");
  return static_cast<std::ptrdiff_t>(fraction * static_cast<double>(n));
}

double TrimmedMean(std::vector<double> values, double fraction) {
  Require(!values.empty(), "a trimmed mean needs a value");
  const auto n = static_cast<std::ptrdiff_t>(values.size());
  const std::ptrdiff_t drop = TrimmedCount(values.size(), fraction);
  const auto first = values.begin() + drop;
  const auto last = values.end() - drop;
  if (drop > 0) {
    std::nth_element(values.begin(), first, values.end());
    std::nth_element(first, last - 1, values.end());
  }
  return std::accumulate(first, last, 0.0) / static_cast<double>(n - 2 * drop);
}

}  // namespace duetbench::stats
