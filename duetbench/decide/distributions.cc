#include "duetbench/decide/distributions.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>

// With -Os g++ does not see that an error of Boost throws.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace duetbench::stats {
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

}  // namespace duetbench::stats
