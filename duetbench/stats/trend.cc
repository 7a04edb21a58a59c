#include "duetbench/stats/trend.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {

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
  test.p = 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), z));
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
