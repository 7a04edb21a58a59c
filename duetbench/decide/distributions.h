#ifndef DUETBENCH_DECIDE_DISTRIBUTIONS_H_
#define DUETBENCH_DECIDE_DISTRIBUTIONS_H_

// The distributions of Boost.Math, which are compiled here only: each source that includes them
// gets its own copy of 50 kB. In double: the last digits of long double decide nothing. The upper
// tail is P(X > x), exact where it is small; parameters out of range throw std::domain_error.
namespace duetbench::stats {

double StudentsTTail(double degrees_of_freedom, double t);
double StudentsTQuantile(double degrees_of_freedom, double upper_tail);

double ChiSquaredQuantile(double degrees_of_freedom, double probability);
double ChiSquaredUpperQuantile(double degrees_of_freedom, double upper_tail);

double FisherFCdf(double numerator, double denominator, double f);
double FisherFTail(double numerator, double denominator, double f);

double BinomialCdf(double trials, double probability, double count);
double BinomialTail(double trials, double probability, double count);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_DISTRIBUTIONS_H_
