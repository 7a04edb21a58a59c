#ifndef DUETBENCH_DECIDE_HYPOTHESIS_TESTS_H_
#define DUETBENCH_DECIDE_HYPOTHESIS_TESTS_H_

#include <vector>

#include "absl/types/span.h"

namespace duetbench::stats {

// The distributions of Boost.Math, which are compiled here only: each source that includes them
// gets its own copy of 50 kB. In double: the last digits of long double decide nothing. The upper
// tail is P(X > x), exact where it is small; parameters out of range throw std::domain_error.

double StudentsTTail(double degrees_of_freedom, double t);
double StudentsTQuantile(double degrees_of_freedom, double upper_tail);

double ChiSquaredQuantile(double degrees_of_freedom, double probability);
double ChiSquaredUpperQuantile(double degrees_of_freedom, double upper_tail);

double FisherFCdf(double numerator, double denominator, double f);
double FisherFTail(double numerator, double denominator, double f);

double BinomialCdf(double trials, double probability, double count);
double BinomialTail(double trials, double probability, double count);

// A two-sided t test that the true difference is zero.
struct TTest {
  double t;
  double degrees_of_freedom;
  double p;
  double difference;      // the estimate
  double standard_error;  // of `difference`; its interval is difference +- t_{df} standard_error
};

// The test of an estimated difference. A standard error of zero gives t = 0 and p = 1 for a
// difference of zero, otherwise an infinite t and p = 0.
TTest MakeTTest(double difference, double standard_error, double degrees_of_freedom);

// Tests that the mean of the differences `d` is zero, as R's t.test. For paired samples d = x - y;
// for the runs of a duet d are their log-ratios. At least two finite values, or the program stops.
TTest PairedTTest(absl::Span<const double> d);

// P-values adjusted for testing several hypotheses at once (Holm 1979), in the order of `p`, each
// at most 1: rejecting those that are <= alpha raises a false alarm in at most alpha of the
// families, whatever the dependence. As R's p.adjust. Stops the program if a p is not in [0, 1].
// O(n log n).
std::vector<double> HolmAdjusted(absl::Span<const double> p);

// The same for the false discovery rate (Benjamini and Hochberg, 1995): of the hypotheses with a
// value <= q, a part q is rejected falsely, at most, in the mean. For p-values that are independent
// or positively dependent. As R's p.adjust ("BH"). O(n log n).
std::vector<double> BenjaminiHochbergAdjusted(absl::Span<const double> p);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_HYPOTHESIS_TESTS_H_
