#include "duetbench/stats/autocorrelation.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <numeric>

#include "duetbench/stats/require.h"

namespace duetbench::stats {
namespace {

constexpr double kPi = 3.14159265358979323846;

double MeanOf(absl::Span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

std::vector<double> Centred(absl::Span<const double> x) {
  const double mean = MeanOf(x);
  std::vector<double> centred(x.begin(), x.end());
  for (double& value : centred) value -= mean;
  return centred;
}

// 1/n sum_t d_t d_{t+lag} of a centred series.
double Autocovariance(const std::vector<double>& d, std::size_t lag) {
  double sum = 0;
  for (std::size_t t = 0; t + lag < d.size(); ++t) sum += d[t] * d[t + lag];
  return sum / static_cast<double>(d.size());
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

std::vector<double> Autocorrelation(absl::Span<const double> x, std::size_t max_lag) {
  Require(max_lag < x.size(), "Autocorrelation: more lags than values");
  const std::vector<double> d = Centred(x);
  const double c0 = Autocovariance(d, 0);
  std::vector<double> rho(max_lag, 0.0);
  // Compared, not c0 <= 0: the mean of equal values may be off by a rounding.
  if (std::all_of(x.begin(), x.end(), [&](double value) { return value == x[0]; })) return rho;
  for (std::size_t k = 1; k <= max_lag; ++k) rho[k - 1] = Autocovariance(d, k) / c0;
  return rho;
}

double Lag1(absl::Span<const double> x) {
  Require(x.size() >= 2, "Lag1: fewer than two values");
  return Autocorrelation(x, 1).front();
}

LjungBoxTest LjungBox(absl::Span<const double> x, std::size_t max_lag) {
  Require(max_lag >= 1, "LjungBox: no lag to test");
  const std::vector<double> rho = Autocorrelation(x, max_lag);
  const auto n = static_cast<double>(x.size());
  double sum = 0;
  for (std::size_t k = 1; k <= max_lag; ++k) {
    sum += rho[k - 1] * rho[k - 1] / (n - static_cast<double>(k));
  }
  const double statistic = n * (n + 2) * sum;
  const boost::math::chi_squared distribution(static_cast<double>(max_lag));
  return {statistic, boost::math::cdf(boost::math::complement(distribution, statistic))};
}

int EwcDegreesOfFreedom(std::size_t n) {
  const double root = std::cbrt(static_cast<double>(n));
  // The summand keeps a product that is an integer (n = 1000: 40) from being rounded below it.
  return std::max(2, static_cast<int>(std::floor(0.4 * root * root + 1e-9)));
}

double EwcLongRunVariance(absl::Span<const double> u, int nu) {
  Require(nu >= 1 && static_cast<std::size_t>(nu) < u.size(),
          "EwcLongRunVariance: nu must be at least 1 and below the number of values");
  const std::vector<double> d = Centred(u);
  double sum = 0;
  for (int j = 1; j <= nu; ++j) {
    const double cosine_sum = CosineSum(d, j);
    sum += cosine_sum * cosine_sum;
  }
  return sum * 2.0 / static_cast<double>(u.size()) / nu;
}

double NeweyWestStandardError(absl::Span<const double> x, std::size_t lag) {
  Require(lag < x.size(), "NeweyWestStandardError: lag must be below the number of values");
  const std::vector<double> d = Centred(x);
  double sum = Autocovariance(d, 0);
  for (std::size_t k = 1; k <= lag; ++k) {
    const double weight = 1 - static_cast<double>(k) / static_cast<double>(lag + 1);
    sum += 2 * weight * Autocovariance(d, k);
  }
  return std::sqrt(sum / static_cast<double>(x.size()));
}

BatchMeansResult BatchMeans(absl::Span<const double> x, std::size_t count) {
  Require(count >= 2 && count <= x.size(),
          "BatchMeans: needs at least two batches and one value in each");
  BatchMeansResult result;
  result.batch_size = x.size() / count;
  for (std::size_t batch = 0; batch < count; ++batch) {
    result.means.push_back(MeanOf(x.subspan(batch * result.batch_size, result.batch_size)));
  }
  result.mean = MeanOf(result.means);
  double squares = 0;
  for (const double mean : result.means) squares += (mean - result.mean) * (mean - result.mean);
  const auto k = static_cast<double>(count);
  result.standard_error = std::sqrt(squares / (k - 1) / k);
  return result;
}

}  // namespace duetbench::stats
