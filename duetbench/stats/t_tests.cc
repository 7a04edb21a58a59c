#include "duetbench/stats/t_tests.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "duetbench/stats/require.h"
#include "duetbench/stats/robust.h"

namespace duetbench::stats {
namespace {

double PValue(double t, double degrees_of_freedom, Alternative alternative) {
  if (std::isinf(t)) {
    if (alternative == Alternative::kTwoSided) return 0.0;
    return (t > 0) == (alternative == Alternative::kGreater) ? 0.0 : 1.0;
  }
  const boost::math::students_t distribution(degrees_of_freedom);
  switch (alternative) {
    case Alternative::kGreater:
      return boost::math::cdf(distribution, -t);
    case Alternative::kLess:
      return boost::math::cdf(distribution, t);
    case Alternative::kTwoSided:
      break;
  }
  return 2 * boost::math::cdf(distribution, -std::fabs(t));
}

// `distance` is how far `difference` lies from the null hypothesis.
TTest Finish(double difference, double distance, double standard_error, double degrees_of_freedom,
             Alternative alternative) {
  TTest test{0, degrees_of_freedom, 1, difference, standard_error};
  if (standard_error > 0) {
    test.t = distance / standard_error;
  } else if (distance != 0) {
    test.t = std::copysign(std::numeric_limits<double>::infinity(), distance);
  } else {
    return test;
  }
  test.p = PValue(test.t, degrees_of_freedom, alternative);
  return test;
}

}  // namespace

TTest WelchTTest(absl::Span<const double> x, absl::Span<const double> y, Alternative alternative) {
  Require(x.size() >= 2 && y.size() >= 2, "WelchTTest: fewer than two values");
  const double difference = Mean(x) - Mean(y);
  const double n = static_cast<double>(x.size());
  const double m = static_cast<double>(y.size());
  const double square_x = Variance(x) / n;
  const double square_y = Variance(y) / m;
  const double square = square_x + square_y;
  // By the shares of the two sides: the square of a tiny or huge variance is no double.
  const double share_x = square_x / square;
  const double share_y = square_y / square;
  const double degrees_of_freedom =
      square > 0 ? 1 / (share_x * share_x / (n - 1) + share_y * share_y / (m - 1)) : n + m - 2;
  return Finish(difference, difference, std::sqrt(square), degrees_of_freedom, alternative);
}

TTest StudentTTest(absl::Span<const double> x, absl::Span<const double> y,
                   Alternative alternative) {
  Require(x.size() >= 2 && y.size() >= 2, "StudentTTest: fewer than two values");
  const double difference = Mean(x) - Mean(y);
  const double n = static_cast<double>(x.size());
  const double m = static_cast<double>(y.size());
  const double pooled = ((n - 1) * Variance(x) + (m - 1) * Variance(y)) / (n + m - 2);
  return Finish(difference, difference, std::sqrt(pooled * (1 / n + 1 / m)), n + m - 2,
                alternative);
}

TTest PairedTTest(absl::Span<const double> d, double null_value, Alternative alternative) {
  Require(d.size() >= 2, "PairedTTest: fewer than two differences");
  const double mean = Mean(d);
  const double n = static_cast<double>(d.size());
  return Finish(mean, mean - null_value, StandardDeviation(d) / std::sqrt(n), n - 1, alternative);
}

TostResult Tost(absl::Span<const double> d, double margin) {
  Require(margin > 0, "Tost: the margin must be positive");
  const double p_lower = PairedTTest(d, -margin, Alternative::kGreater).p;
  const double p_upper = PairedTTest(d, margin, Alternative::kLess).p;
  return {p_lower, p_upper, std::max(p_lower, p_upper)};
}

}  // namespace duetbench::stats
