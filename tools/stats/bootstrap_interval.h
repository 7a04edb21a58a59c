#ifndef DUETBENCH_TOOLS_STATS_BOOTSTRAP_INTERVAL_H_
#define DUETBENCH_TOOLS_STATS_BOOTSTRAP_INTERVAL_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/stats/interval.h"

namespace duetbench::stats {

// Number of resamples of a bootstrap, and their seed. The same seed gives the same interval on
// every machine, whatever ran before.
struct Resampling {
  std::size_t replicates = 10000;  // the duet paper's number; at least 2
  std::uint64_t seed = 1;
};

// OK if there are at least 2 and at most 10^8 replicates, otherwise InvalidArgument.
absl::Status CheckResampling(const Resampling& resampling);

// Bootstrap interval of the ratio from the log-ratios of R runs, which are resampled as a whole:
// the statistic is their mean. The work is done on the log scale; quantiles are QuantileBootCi. The
// result is widened to contain the point estimate in the rare case that it does not. With the same
// seed the order of the runs does not matter, and swapping old and new gives the reciprocals.
//
//   kPercentile  the quantiles of the replicates: the interval of the duet paper (Bulej et al.,
//                ICPE 2020, section 3, there at 99 % with 10,000 replicates). Too narrow for few
//                runs by the factor sqrt((R-1)/R) and by using normal for t quantiles: see
//                NarrownessWarning.
//   kExpanded    the quantiles at the tail probability ExpandedTail(R, level), which makes up for
//                both (Hesterberg, 'What Teachers Should Know about the Bootstrap', 2015, section
//                5.3). From R = 10 on.
//   kNMinus1     percentile of resamples of R-1 runs, which makes up for the factor only (same
//                paper, section 3.2.1).
//   kBasic       the percentile interval reflected at the estimate (BasicEnds).
//   kBca         BcaEnds with the acceleration from the jackknife; resamples that equal the
//   estimate
//                count as half below it.
//   kBootT       StudentizedEnds. From R = 5 on; for R < 5 it is often unbounded, as resamples of
//                one and the same run have no spread.
//
// Valid from R = 2 on in the sense that it computes; the kinds' own limits are above, and the
// warning says when they are passed. If all runs have the same value, both ends are that value.
// InvalidArgument for another kind, R < 2, a value that is not finite, a level outside (0, 1), or
// a wrong number of replicates. 10,000 replicates of 30 runs take about 1 ms.
absl::StatusOr<RatioInterval> BootstrapInterval(absl::Span<const double> run_log_ratios,
                                                IntervalKind kind, double level,
                                                const Resampling& resampling = {});

// Tail probability that makes a percentile interval of the mean of `runs` normal values about as
// wide as the t interval: Phi(-sqrt(R/(R-1)) * t_{(1+level)/2, R-1}) (Hesterberg 2015, section
// 5.3). `runs` >= 2, `level` in (0, 1).
//   ExpandedTail(10, 0.95)  ->  0.00855
double ExpandedTail(std::size_t runs, double level);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_BOOTSTRAP_INTERVAL_H_
