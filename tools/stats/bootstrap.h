#ifndef DUETBENCH_TOOLS_STATS_BOOTSTRAP_H_
#define DUETBENCH_TOOLS_STATS_BOOTSTRAP_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/stats/random.h"

namespace duetbench::stats {

// Bootstrap replicates, and the ends of an interval from replicates: the arithmetic of R's boot and
// boot.ci, for any statistic and on the scale on which it is given. What applies it to the runs of
// an experiment is bootstrap_interval.h.

// Means of `count` resamples of `size` values drawn from `values` with replacement. `size` is
// usually values.size(); one less makes the replicates as variable as the mean really is
// (bootstrap_interval.h). In no particular order. O(count * size): 0.5 ns a draw.
std::vector<double> MeanReplicates(absl::Span<const double> values, std::size_t size,
                                   std::size_t count, Random& random);

// (m* - m) / (s* / sqrt(n)) of `count` resamples of all n values, where m is their mean and m*, s*
// are those of the resample. Infinite for a resample of equal values (0 if their mean is m, too).
// At least two values.
std::vector<double> StudentizedReplicates(absl::Span<const double> values, std::size_t count,
                                          Random& random);

// The quantile at p in [0, 1] of values in ascending order, at least one, as R's boot.ci reads it
// off (function norm.inter; Davison and Hinkley, Bootstrap Methods and Their Application, 1997,
// equation 5.8): at the position (n + 1) p, between two order statistics interpolated on the scale
// of normal quantiles, beyond the extreme ones these. The rule of all bootstrap intervals here.
// O(1).
double QuantileBootCi(absl::Span<const double> sorted, double p);

// The two ends of an interval of a statistic.
struct Ends {
  double lo;
  double hi;
};

// Below, t0 is the statistic of the sample, `t` its replicates in any order, `sorted` its
// replicates in ascending order, `level` in (0, 1) the nominal coverage; quantiles are
// QuantileBootCi. Section and equation numbers are those of Davison and Hinkley, Bootstrap Methods
// and Their Application, 1997. At least two replicates.

// [2 t0 - upper quantile, 2 t0 - lower quantile] (5.2.1, equation 5.6).
Ends BasicEnds(double t0, absl::Span<const double> sorted, double level);

// [t0 - se * upper quantile, t0 - se * lower quantile] of the studentized replicates
// (t* - t0) / se* (5.2.1, equation 5.7). `se` is the standard error of t0. An infinite quantile
// gives an infinite end.
Ends StudentizedEnds(double t0, double se, absl::Span<const double> sorted_studentized,
                     double level);

// The two quantiles (5.3.1, equation 5.18).
Ends PercentileEnds(absl::Span<const double> sorted, double level);

// The two quantiles at the tail probability `tail` each, for kinds that choose their own.
Ends TailEnds(absl::Span<const double> sorted, double tail);

// z0 of BCa: the normal quantile of the share of replicates below t0 (5.3.2, equation 5.22).
// boot.ci counts a replicate that equals t0 as not below; `ties_as_half` counts it as half, like
// scipy, which matters for few values (with three runs 22 % of all resamples are a permutation of
// the sample). Equal means within 1e-12 of the spread of the replicates. Infinite if all lie on one
// side.
double BiasCorrection(double t0, absl::Span<const double> t, bool ties_as_half);

// Acceleration a = sum l^3 / (6 (sum l^2)^(3/2)) of BCa from the empirical influence values of the
// sample's members (5.3.2, equation 5.23); 0 if all influence values are 0.
double Acceleration(absl::Span<const double> influence);

// The tail probabilities that BCa reads off the replicates:
// Phi(z0 + (z0 + z) / (1 - a (z0 + z))) at z = -+ the normal quantile of the level (equation 5.21).
Ends BcaProbabilities(double bias_correction, double acceleration, double level);

// The quantiles at BcaProbabilities.
Ends BcaEnds(absl::Span<const double> sorted, double bias_correction, double acceleration,
             double level);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_BOOTSTRAP_H_
