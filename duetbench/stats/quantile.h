#ifndef DUETBENCH_STATS_QUANTILE_H_
#define DUETBENCH_STATS_QUANTILE_H_

#include "absl/types/span.h"

namespace duetbench::stats {

// The rules by which a quantile is read off a sample. They differ by up to one order statistic,
// which matters in the tails: each function that needs a quantile says which rule it uses.
//
// All take the sample in ascending order (infinite values allowed at its ends) and a probability p
// in [0, 1], stop the program if the sample is empty or p is outside, and cost O(1). n is the size
// of the sample, x[1] <= ... <= x[n] its values. Between two values of which one is infinite the
// result is the infinite one if p lies strictly between them.

// Order statistic x[ceil(n p)], at least x[1]: the inverse of the empirical distribution function
// (R type 1). No interpolation. n p is first rounded to an integer if it is within 1e-9 of one, so
// that p = 0.9 of ten values is the ninth although 0.9 has no exact binary form.
double QuantileInverseCdf(absl::Span<const double> sorted, double p);

// The same at 1 - q, for a probability q of the upper tail: the smallest value that leaves at most
// n q values above it. Keeps the digits of a q that is too small for 1 - q.
double UpperQuantileInverseCdf(absl::Span<const double> sorted, double q);

// Linear interpolation at the position 1 + (n - 1) p (R type 7; the default of R and numpy).
double QuantileType7(absl::Span<const double> sorted, double p);

// Linear interpolation at the position (n + 1) p, kept within 1..n (R type 6).
double QuantileType6(absl::Span<const double> sorted, double p);

// As R's boot.ci (function norm.inter; Davison and Hinkley, Bootstrap Methods and Their
// Application, 1997, equation 5.8): position (n + 1) p like type 6, but between two order
// statistics it interpolates on the scale of normal quantiles. Beyond the extreme order statistics
// it returns those. The rule of all bootstrap intervals here.
double QuantileBootCi(absl::Span<const double> sorted, double p);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_QUANTILE_H_
