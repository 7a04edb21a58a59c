#include "tools/stats/two_sample_tests.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {
namespace {

// Samples from this size on are taken to the normal approximation; R's limit.
constexpr std::size_t kExactBelow = 50;

// sum over groups of equal values of t^3 - t, t the size of the group.
double TieSum(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double sum = 0;
  for (auto begin = values.begin(); begin != values.end();) {
    const auto end = std::upper_bound(begin, values.end(), *begin);
    const auto size = static_cast<double>(end - begin);
    sum += size * size * size - size;
    begin = end;
  }
  return sum;
}

// P(U = u), u = 0..n m. A step of the recurrence decides from which sample the largest value comes:
// p(u; i, j) = i/(i+j) p(u - j; i-1, j) + j/(i+j) p(u; i, j-1). Only additions of positive terms,
// so each probability keeps its relative precision.
std::vector<double> RankSumProbabilities(std::size_t n, std::size_t m) {
  if (n > m) std::swap(n, m);
  std::vector<std::vector<double>> row(n + 1);
  for (auto& cell : row) cell = {1.0};  // no value of the second sample: U = 0
  for (std::size_t j = 1; j <= m; ++j) {
    for (std::size_t i = 1; i <= n; ++i) {
      const auto total = static_cast<double>(i + j);
      const double from_first = static_cast<double>(i) / total;
      const double from_second = static_cast<double>(j) / total;
      std::vector<double> next(i * j + 1, 0.0);
      for (std::size_t u = 0; u < row[i].size(); ++u) next[u] += from_second * row[i][u];
      for (std::size_t u = 0; u < row[i - 1].size(); ++u) next[u + j] += from_first * row[i - 1][u];
      row[i] = std::move(next);
    }
  }
  return row[n];
}

// Sum of the probabilities of 0..floor(u).
double CumulativeProbability(const std::vector<double>& probabilities, double u) {
  const auto size = static_cast<double>(probabilities.size());
  const auto count = static_cast<std::ptrdiff_t>(std::clamp(std::floor(u + 1e-7) + 1, 0.0, size));
  return std::min(1.0, std::accumulate(probabilities.begin(), probabilities.begin() + count, 0.0));
}

// The distribution is symmetric about n m / 2: the upper tail of u is the lower one of n m - u.
double ExactP(double u, std::size_t n, std::size_t m) {
  const double mirrored = static_cast<double>(n * m) - u;
  return std::min(1.0,
                  2 * CumulativeProbability(RankSumProbabilities(n, m), std::min(u, mirrored)));
}

double NormalP(double distance, double variance) {
  // All values equal: nothing speaks against the null hypothesis (R would say NaN).
  if (variance <= 0) return 1.0;
  const double corrected = distance == 0 ? 0 : std::fabs(std::fabs(distance) - 0.5);
  return 2 * boost::math::cdf(boost::math::normal(), -corrected / std::sqrt(variance));
}

// Over all x: the values of y below it less those above it. For ascending x both counts only grow,
// so one walk over y serves all of them.
double MoreBelowThanAbove(absl::Span<const double> x, absl::Span<const double> y) {
  std::vector<double> a(x.begin(), x.end());
  std::vector<double> b(y.begin(), y.end());
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double sum = 0;
  std::size_t below = 0;
  std::size_t not_above = 0;
  for (const double value : a) {
    while (below < b.size() && b[below] < value) ++below;
    while (not_above < b.size() && b[not_above] <= value) ++not_above;
    sum += static_cast<double>(below) - static_cast<double>(b.size() - not_above);
  }
  return sum;
}

}  // namespace

TTest WelchTTest(absl::Span<const double> x, absl::Span<const double> y) {
  Require(x.size() >= 2 && y.size() >= 2, "WelchTTest: fewer than two values");
  const auto n = static_cast<double>(x.size());
  const auto m = static_cast<double>(y.size());
  const double square_x = Variance(x) / n;
  const double square_y = Variance(y) / m;
  const double square = square_x + square_y;
  // By the shares of the two samples: the square of a tiny or huge variance is no double.
  const double share_x = square_x / square;
  const double share_y = square_y / square;
  const double degrees_of_freedom =
      square > 0 ? 1 / (share_x * share_x / (n - 1) + share_y * share_y / (m - 1)) : n + m - 2;
  return MakeTTest(Mean(x) - Mean(y), std::sqrt(square), degrees_of_freedom);
}

RankTest WilcoxonRankSum(absl::Span<const double> x, absl::Span<const double> y,
                         bool may_be_exact) {
  Require(!x.empty() && !y.empty(), "WilcoxonRankSum: a sample is empty");
  std::vector<double> all(x.begin(), x.end());
  all.insert(all.end(), y.begin(), y.end());
  const auto n = static_cast<double>(x.size());
  const auto m = static_cast<double>(y.size());
  const double u = (n * m + MoreBelowThanAbove(x, y)) / 2;
  const double ties = TieSum(std::move(all));
  if (may_be_exact && ties == 0 && std::max(x.size(), y.size()) < kExactBelow) {
    return {u, ExactP(u, x.size(), y.size()), true};
  }
  const double variance = n * m / 12 * ((n + m + 1) - ties / ((n + m) * (n + m - 1)));
  return {u, NormalP(u - n * m / 2, variance), false};
}

int FalseAlarmLimit(int experiments, double level) {
  constexpr double kConfidence = 0.995;
  if (experiments <= 0) return 0;
  int limit = 0;
  while (limit < experiments && BinomialCdf(experiments, 1 - level, limit) < kConfidence) ++limit;
  return limit;
}

}  // namespace duetbench::stats
