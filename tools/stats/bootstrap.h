#ifndef DUETBENCH_TOOLS_STATS_BOOTSTRAP_H_
#define DUETBENCH_TOOLS_STATS_BOOTSTRAP_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "duetbench/stats/random.h"

namespace duetbench::stats {

// Bootstrap replicates, and the ends of an interval from replicates: the arithmetic of R's boot and
// boot.ci, for any statistic and on the scale on which it is given. Section and equation numbers
// are those of Davison and Hinkley, Bootstrap Methods and Their Application, 1997.

// Number of resamples of a bootstrap, and their seed. The same seed gives the same interval on
// every machine, whatever ran before.
struct Resampling {
  std::size_t replicates = 10000;  // the duet paper's number; at least 2
  std::uint64_t seed = 1;
};

// OK if there are at least 2 and at most 10^8 replicates, otherwise InvalidArgument.
absl::Status CheckResampling(const Resampling& resampling);

// Means of `count` resamples of all values, with replacement. In no particular order.
// O(count * values): about 1 ns a draw.
std::vector<double> MeanReplicates(absl::Span<const double> values, std::size_t count,
                                   Random& random);

// Replicates of the mean by the hierarchical bootstrap (Laaber et al., EMSE 2019, section 5.1.2;
// Kalibera and Jones 2020, section 3): as many runs as there are, drawn with replacement; in each
// its values resampled; the replicate is the mean of the means of the runs.
//
// `machine` is empty, or has one number per run that names the machine that it ran on; then the
// machines are drawn first, and runs within each machine drawn. At least one run, and no empty one;
// a `machine` of another size stops the program. 10,000 replicates of 30 runs of 1000 values draw
// 3 * 10^8 numbers: about 1 s.
std::vector<double> HierarchicalReplicates(absl::Span<const std::vector<double>> runs,
                                           absl::Span<const int> machine,
                                           const Resampling& resampling);

// The quantile at p in [0, 1] of values in ascending order, at least one, as R's boot.ci reads it
// off (function norm.inter; equation 5.8): at the position (n + 1) p, between two order statistics
// interpolated on the scale of normal quantiles, beyond the extreme ones these. The rule of all
// bootstrap intervals here. O(1).
double QuantileBootCi(absl::Span<const double> sorted, double p);

// The two ends of an interval of a statistic.
struct Ends {
  double lo;
  double hi;
};

// The two quantiles (5.3.1, equation 5.18) of replicates in any order. `level` in (0, 1).
Ends PercentileEnds(std::vector<double> replicates, double level);

// z0 of BCa: the normal quantile of the share of replicates below the statistic t0 of the sample
// (5.3.2, equation 5.22). boot.ci counts a replicate that equals t0 as not below; `ties_as_half`
// counts it as half, like scipy, which matters for few values (with three runs 22 % of all
// resamples are a permutation of the sample). Equal means within 1e-12 of the spread of the
// replicates. Infinite if all lie on one side.
double BiasCorrection(double t0, absl::Span<const double> replicates, bool ties_as_half);

// Acceleration a = sum l^3 / (6 (sum l^2)^(3/2)) of BCa from the empirical influence values of the
// sample's members (5.3.2, equation 5.23); 0 if all influence values are 0.
double Acceleration(absl::Span<const double> influence);

// The tail probabilities that BCa reads off the replicates:
// Phi(z0 + (z0 + z) / (1 - a (z0 + z))) at z = -+ the normal quantile of the level (equation 5.21).
Ends BcaProbabilities(double bias_correction, double acceleration, double level);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_BOOTSTRAP_H_
