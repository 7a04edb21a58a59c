#include "duetbench/stats/rank_tests.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>

#include "duetbench/stats/require.h"

namespace duetbench::stats {
namespace {

// Samples from this size on are taken to the normal approximation by kAuto; R's limit.
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

// Sum of the probabilities of 0..floor(v), or of all above it.
double Tail(const std::vector<double>& probabilities, double v, bool upper) {
  const auto size = static_cast<double>(probabilities.size());
  const auto cut = static_cast<std::ptrdiff_t>(std::clamp(std::floor(v + 1e-7) + 1, 0.0, size));
  const auto middle = probabilities.begin() + cut;
  return upper ? std::accumulate(middle, probabilities.end(), 0.0)
               : std::accumulate(probabilities.begin(), middle, 0.0);
}

double ExactP(const std::vector<double>& probabilities, double statistic, Alternative alternative) {
  const double at_most = Tail(probabilities, statistic, false);
  const double at_least = Tail(probabilities, statistic - 1, true);
  switch (alternative) {
    case Alternative::kGreater:
      return std::min(at_least, 1.0);
    case Alternative::kLess:
      return std::min(at_most, 1.0);
    case Alternative::kTwoSided:
      break;
  }
  return std::min(2 * std::min(at_most, at_least), 1.0);
}

double NormalP(double distance, double variance, const RankTestOptions& options) {
  // All values equal: nothing speaks against the null hypothesis (R would say NaN).
  if (variance <= 0) return 1.0;
  double correction = 0;
  if (options.continuity_correction) {
    switch (options.alternative) {
      case Alternative::kTwoSided:
        correction = distance > 0 ? 0.5 : distance < 0 ? -0.5 : 0.0;
        break;
      case Alternative::kGreater:
        correction = 0.5;
        break;
      case Alternative::kLess:
        correction = -0.5;
        break;
    }
  }
  const double z = (distance - correction) / std::sqrt(variance);
  const boost::math::normal normal;
  switch (options.alternative) {
    case Alternative::kGreater:
      return boost::math::cdf(boost::math::complement(normal, z));
    case Alternative::kLess:
      return boost::math::cdf(normal, z);
    case Alternative::kTwoSided:
      break;
  }
  return std::min(1.0, 2 * boost::math::cdf(normal, -std::fabs(z)));
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

// P(V = v), v = 0..n(n+1)/2: each rank is counted or not, with probability 1/2.
std::vector<double> SignedRankProbabilities(std::size_t n) {
  std::vector<double> p(n * (n + 1) / 2 + 1, 0.0);
  p[0] = 1.0;
  std::size_t reached = 0;
  for (std::size_t rank = 1; rank <= n; ++rank) {
    reached += rank;
    for (std::size_t v = reached + 1; v-- > 0;) {
      p[v] = 0.5 * (p[v] + (v >= rank ? p[v - rank] : 0.0));
    }
  }
  return p;
}

bool WantsExact(RankMethod method, bool distinct, std::size_t largest) {
  if (method == RankMethod::kNormal || !distinct) return false;
  return method == RankMethod::kExact || largest < kExactBelow;
}

}  // namespace

std::vector<double> MidRanks(absl::Span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    // Ranks begin+1 .. end.
    const double shared = static_cast<double>(begin + 1 + end) / 2;
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = shared;
    begin = end;
  }
  return ranks;
}

RankTest WilcoxonRankSum(absl::Span<const double> x, absl::Span<const double> y,
                         const RankTestOptions& options) {
  Require(!x.empty() && !y.empty(), "WilcoxonRankSum: a sample is empty");
  std::vector<double> all(x.begin(), x.end());
  all.insert(all.end(), y.begin(), y.end());
  const std::vector<double> ranks = MidRanks(all);
  const auto n = static_cast<double>(x.size());
  const auto m = static_cast<double>(y.size());
  const double rank_sum =
      std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(x.size()), 0.0);

  RankTest test;
  test.statistic = rank_sum - n * (n + 1) / 2;
  test.other = n * m - test.statistic;
  const double ties = TieSum(std::move(all));
  test.exact = WantsExact(options.method, ties == 0, std::max(x.size(), y.size()));
  if (test.exact) {
    test.p = ExactP(RankSumProbabilities(x.size(), y.size()), test.statistic, options.alternative);
  } else {
    const double variance = n * m / 12 * ((n + m + 1) - ties / ((n + m) * (n + m - 1)));
    test.p = NormalP(test.statistic - n * m / 2, variance, options);
  }
  return test;
}

RankTest WilcoxonSignedRank(absl::Span<const double> d, const RankTestOptions& options) {
  Require(!d.empty(), "WilcoxonSignedRank: no differences");
  std::vector<double> signed_values;
  double zeros = 0;
  for (const double value : d) {
    if (value == 0) zeros += 1;
    if (value != 0 || options.zero_rule != ZeroRule::kDrop) signed_values.push_back(value);
  }
  std::vector<double> sizes;
  sizes.reserve(signed_values.size());
  for (const double value : signed_values) sizes.push_back(std::fabs(value));
  const std::vector<double> ranks = MidRanks(sizes);

  RankTest test{0, 0, 1, false};
  std::vector<double> counted;  // the ranks whose ties reduce the variance
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (signed_values[i] > 0) test.statistic += ranks[i];
    if (signed_values[i] < 0) test.other += ranks[i];
    if (signed_values[i] == 0 && options.zero_rule == ZeroRule::kSplit) {
      test.statistic += ranks[i] / 2;
      test.other += ranks[i] / 2;
    }
    if (signed_values[i] != 0 || options.zero_rule == ZeroRule::kSplit) counted.push_back(ranks[i]);
  }
  const double ties = TieSum(std::move(counted));
  test.exact = WantsExact(options.method, ties == 0 && zeros == 0, ranks.size());
  if (test.exact) {
    test.p = ExactP(SignedRankProbabilities(ranks.size()), test.statistic, options.alternative);
    return test;
  }
  const auto n = static_cast<double>(ranks.size());
  double mean = n * (n + 1) / 4;
  double variance = n * (n + 1) * (2 * n + 1) / 24;
  if (options.zero_rule == ZeroRule::kPratt) {  // Cureton (1967)
    mean -= zeros * (zeros + 1) / 4;
    variance -= zeros * (zeros + 1) * (2 * zeros + 1) / 24;
  }
  variance -= ties / 48;
  test.p = NormalP(test.statistic - mean, variance, options);
  return test;
}

double SignTest(absl::Span<const double> d) {
  double positive = 0;
  double negative = 0;
  for (const double value : d) {
    if (value > 0) positive += 1;
    if (value < 0) negative += 1;
  }
  if (positive + negative == 0) return 1.0;
  const boost::math::binomial binomial(positive + negative, 0.5);
  return std::min(1.0, 2 * boost::math::cdf(binomial, std::min(positive, negative)));
}

double RankSumCdf(double u, int n, int m) {
  Require(n >= 1 && m >= 1, "RankSumCdf: a sample is empty");
  return std::min(
      1.0, Tail(RankSumProbabilities(static_cast<std::size_t>(n), static_cast<std::size_t>(m)), u,
                false));
}

double SignedRankCdf(double v, int n) {
  Require(n >= 1, "SignedRankCdf: no differences");
  return std::min(1.0, Tail(SignedRankProbabilities(static_cast<std::size_t>(n)), v, false));
}

}  // namespace duetbench::stats
