#include "duetbench/stats/series.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "duetbench/stats/distributions.h"
#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

constexpr double kPi = 3.14159265358979323846;

std::vector<double> Centered(absl::Span<const double> x) {
  const double mean = Mean(x);
  std::vector<double> centered(x.begin(), x.end());
  for (double& value : centered) value -= mean;
  return centered;
}

// sum_{t=0..n-1} d_t cos(j pi (t + 1/2) / n). The angle advances by rotation and is computed afresh
// every 64 terms, so that rounding errors stay at some 1e-14 however long the series is.
double CosineSum(const std::vector<double>& d, int j) {
  constexpr std::size_t kStretch = 64;
  const std::size_t n = d.size();
  const double step = kPi * j / static_cast<double>(n);
  const double step_cos = std::cos(step);
  const double step_sin = std::sin(step);
  double sum = 0;
  for (std::size_t begin = 0; begin < n; begin += kStretch) {
    // j (2 t + 1) modulo 4n: the argument of the cosine stays in one turn, where it is exact.
    const std::size_t quarter_steps = (static_cast<std::size_t>(j) * (2 * begin + 1)) % (4 * n);
    const double angle = kPi * static_cast<double>(quarter_steps) / (2.0 * static_cast<double>(n));
    double c = std::cos(angle);
    double s = std::sin(angle);
    const std::size_t end = std::min(n, begin + kStretch);
    for (std::size_t t = begin; t < end; ++t) {
      sum += d[t] * c;
      const double next = c * step_cos - s * step_sin;
      s = s * step_cos + c * step_sin;
      c = next;
    }
  }
  return sum;
}

}  // namespace

double Lag1(absl::Span<const double> x) {
  Require(x.size() >= 2, "Lag1: fewer than two values");
  // Compared, as the mean of equal values may be off by a rounding.
  if (std::all_of(x.begin(), x.end(), [&](double value) { return value == x[0]; })) return 0;
  const std::vector<double> d = Centered(x);
  const double squares = std::inner_product(d.begin(), d.end(), d.begin(), 0.0);
  return std::inner_product(d.begin(), d.end() - 1, d.begin() + 1, 0.0) / squares;
}

std::vector<double> BatchMeans(absl::Span<const double> x, std::size_t count) {
  Require(count >= 1 && count <= x.size(), "BatchMeans: needs at least one value in each batch");
  const std::size_t size = x.size() / count;
  std::vector<double> means;
  means.reserve(count);
  for (std::size_t batch = 0; batch < count; ++batch) {
    means.push_back(Mean(x.subspan(batch * size, size)));
  }
  return means;
}

int EwcDegreesOfFreedom(std::size_t n) {
  const double root = std::cbrt(static_cast<double>(n));
  // The addend keeps a product that is an integer (n = 1000: 40) from being rounded below it.
  return std::max(2, static_cast<int>(std::floor(0.4 * root * root + 1e-9)));
}

double EwcLongRunVariance(absl::Span<const double> u, int nu) {
  Require(nu >= 1 && static_cast<std::size_t>(nu) < u.size(),
          "EwcLongRunVariance: nu must be at least 1 and below the number of values");
  const std::vector<double> d = Centered(u);
  double sum = 0;
  for (int j = 1; j <= nu; ++j) {
    const double cosine_sum = CosineSum(d, j);
    sum += cosine_sum * cosine_sum;
  }
  return sum * 2.0 / static_cast<double>(u.size()) / nu;
}

MannKendall MannKendallTest(absl::Span<const double> series) {
  Require(series.size() >= 2, "MannKendallTest: fewer than two values");
  double s = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    for (std::size_t j = i + 1; j < series.size(); ++j) {
      s += static_cast<double>((series[j] > series[i]) - (series[j] < series[i]));
    }
  }
  std::vector<double> sorted(series.begin(), series.end());
  std::sort(sorted.begin(), sorted.end());
  const auto term = [](double t) { return t * (t - 1) * (2 * t + 5); };
  const auto n = static_cast<double>(series.size());
  double variance = term(n);
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end = std::upper_bound(begin, sorted.end(), *begin);
    variance -= term(static_cast<double>(end - begin));
    begin = end;
  }
  variance /= 18;
  MannKendall test{s / (n * (n - 1) / 2), 1.0};
  if (s == 0 || variance <= 0) return test;
  const double z = (std::fabs(s) - 1) / std::sqrt(variance);
  test.p = 2 * NormalTail(z);
  return test;
}

double TheilSenSlope(absl::Span<const double> series) {
  Require(series.size() >= 2, "TheilSenSlope: fewer than two values");
  std::vector<double> slopes;
  slopes.reserve(series.size() * (series.size() - 1) / 2);
  for (std::size_t i = 0; i < series.size(); ++i) {
    for (std::size_t j = i + 1; j < series.size(); ++j) {
      slopes.push_back((series[j] - series[i]) / static_cast<double>(j - i));
    }
  }
  return Median(std::move(slopes));
}

}  // namespace duetbench::stats
