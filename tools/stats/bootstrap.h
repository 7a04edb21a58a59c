#ifndef DUETBENCH_TOOLS_STATS_BOOTSTRAP_H_
#define DUETBENCH_TOOLS_STATS_BOOTSTRAP_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "duetbench/platform/random.h"

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

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_BOOTSTRAP_H_
