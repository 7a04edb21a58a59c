#ifndef DUETBENCH_TOOLS_STATS_HODGES_LEHMANN_H_
#define DUETBENCH_TOOLS_STATS_HODGES_LEHMANN_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/stats/interval.h"

namespace duetbench::stats {

// Location of a symmetric distribution from the Walsh averages (x_i + x_j) / 2, i <= j, of n
// values: their median is the estimate, and those of rank k and n(n+1)/2 + 1 - k are the ends of an
// interval whose exact coverage follows from the signed-rank distribution (Hodges and Lehmann 1963;
// Hollander and Wolfe, Nonparametric Statistical Methods, 3.3). One run far off moves it little.
struct HodgesLehmann {
  double estimate;
  double lo;
  double hi;
  double achieved_level;  // coverage of [lo, hi]: the smallest possible that is at least the
                          // nominal level; less than that when [lo, hi] is already the whole range
};

// k is max(1, the smallest v with P(V <= v) >= (1 - level)/2) for the signed-rank statistic V, as
// in R's wilcox.test. Exact up to 100 values, then by the normal approximation with continuity
// correction, which is off by less than 1e-4 there. `values` must be finite, at least one; `level`
// in (0, 1); or the program stops. O(n^2 log n), and O(n^3) for the exact distribution.
HodgesLehmann HodgesLehmannLocation(absl::Span<const double> values, double level);

// P(V <= v) of Wilcoxon's signed-rank statistic for n differences without ties; R's psignrank.
// O(n^3).
double SignedRankCdf(double v, int n);

// The same of the R log-ratios of runs, as ratios. Valid from R = 2 on; the nominal level is
// attained from R = 6 (95 %) and R = 8 (99 %) on, below that the warning says what is attained.
// InvalidArgument for R < 2, a value that is not finite, or a level outside (0, 1).
absl::StatusOr<RatioInterval> HodgesLehmannInterval(absl::Span<const double> run_log_ratios,
                                                    double level);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_HODGES_LEHMANN_H_
