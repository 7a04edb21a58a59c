#include "duetbench/decide/hypothesis_tests.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "duetbench/platform/require.h"
#include "duetbench/record/robust.h"

namespace duetbench::stats {

// With -Os g++ does not see that an error of Boost throws.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace {

using boost::math::cdf;
using boost::math::complement;
using boost::math::quantile;

using InDouble = boost::math::policies::policy<boost::math::policies::promote_float<false>,
                                               boost::math::policies::promote_double<false>>;
using StudentsT = boost::math::students_t_distribution<double, InDouble>;
using ChiSquared = boost::math::chi_squared_distribution<double, InDouble>;
using FisherF = boost::math::fisher_f_distribution<double, InDouble>;
using Binomial = boost::math::binomial_distribution<double, InDouble>;

// The indices of `p`, ascending.
std::vector<std::size_t> OrderOf(absl::Span<const double> p) {
  for (const double value : p) Require(value >= 0 && value <= 1, "a p-value is not in [0, 1]");
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  return order;
}

}  // namespace

double StudentsTTail(double degrees_of_freedom, double t) {
  return cdf(complement(StudentsT(degrees_of_freedom), t));
}
double StudentsTQuantile(double degrees_of_freedom, double upper_tail) {
  return quantile(complement(StudentsT(degrees_of_freedom), upper_tail));
}

double ChiSquaredQuantile(double degrees_of_freedom, double probability) {
  return quantile(ChiSquared(degrees_of_freedom), probability);
}
double ChiSquaredUpperQuantile(double degrees_of_freedom, double upper_tail) {
  return quantile(complement(ChiSquared(degrees_of_freedom), upper_tail));
}

double FisherFCdf(double numerator, double denominator, double f) {
  return cdf(FisherF(numerator, denominator), f);
}
double FisherFTail(double numerator, double denominator, double f) {
  return cdf(complement(FisherF(numerator, denominator), f));
}

double BinomialCdf(double trials, double probability, double count) {
  return cdf(Binomial(trials, probability), count);
}
double BinomialTail(double trials, double probability, double count) {
  return cdf(complement(Binomial(trials, probability), count));
}

TTest MakeTTest(double difference, double standard_error, double degrees_of_freedom) {
  TTest test{0, degrees_of_freedom, 1, difference, standard_error};
  if (standard_error > 0) {
    test.t = difference / standard_error;
    test.p = std::isinf(test.t) ? 0 : 2 * StudentsTTail(degrees_of_freedom, std::fabs(test.t));
  } else if (difference != 0) {
    test.t = std::copysign(std::numeric_limits<double>::infinity(), difference);
    test.p = 0;
  }
  return test;
}

TTest PairedTTest(absl::Span<const double> d) {
  Require(d.size() >= 2, "PairedTTest: fewer than two differences");
  const auto n = static_cast<double>(d.size());
  return MakeTTest(Mean(d), StandardDeviation(d) / std::sqrt(n), n - 1);
}

std::vector<double> HolmAdjusted(absl::Span<const double> p) {
  const std::vector<std::size_t> order = OrderOf(p);
  std::vector<double> adjusted(p.size());
  double largest = 0;  // a step-down procedure stops at the first p that it cannot reject
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto hypotheses_left = static_cast<double>(p.size() - i);
    largest = std::max(largest, std::min(1.0, hypotheses_left * p[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

std::vector<double> BenjaminiHochbergAdjusted(absl::Span<const double> p) {
  const std::vector<std::size_t> order = OrderOf(p);
  std::vector<double> adjusted(p.size());
  double least = 1;  // a step-up procedure begins at the last p that it can reject
  for (std::size_t i = order.size(); i-- > 0;) {
    const double factor = static_cast<double>(p.size()) / static_cast<double>(i + 1);
    least = std::min(least, factor * p[order[i]]);
    adjusted[order[i]] = least;
  }
  return adjusted;
}

}  // namespace duetbench::stats
