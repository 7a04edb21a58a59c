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

std::vector<double> Centered(absl::Span<const double> x) {
  const double mean = Mean(x);
  std::vector<double> centered(x.begin(), x.end());
  for (double& value : centered) value -= mean;
  return centered;
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
