#ifndef DUETBENCH_TOOLS_STATS_COMPUTE_INTERVAL_H_
#define DUETBENCH_TOOLS_STATS_COMPUTE_INTERVAL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/decide/interval.h"
#include "duetbench/decide/pairs.h"
#include "tools/stats/bootstrap.h"

namespace duetbench::stats {

// Estimators of a run's ln(new/old) from its pairs.
enum class Estimator {
  kTrimmed,  // RunLogRatio (pairs.h)
  // Mean of all log-ratios whatever their stratum: the logarithm of gms of Bulej et al., ICPE
  // 2020, section 3. One preempted pair can dominate it.
  kGeomean,
};

// ln(new/old) of each run. InvalidArgument if CheckPairs fails.
absl::StatusOr<std::vector<double>> RunLogRatios(absl::Span<const RunPairs> runs,
                                                 Estimator estimator);

// The ways to compute an interval of the ratio.
enum class IntervalKind {
  kRobust,        // "robust": that of a decision (decide/decision.h); the default
  kT,             // "t": Student's t on the runs' log-ratios (decide/interval.h)
  kPercentile,    // "percentile": percentile bootstrap of the runs (the duet paper)
  kHierarchical,  // "hier": bootstrap of runs, then of the pairs in each
};

// Which interval of the ratio to compute.
struct IntervalOptions {
  IntervalKind kind = IntervalKind::kT;
  double level = 0.99;
  Resampling resampling;  // for the bootstrap kinds
};

// The interval from the log-ratios of the runs, at least two. InvalidArgument for another kind, too
// few runs, a value that is not finite, and a level or a number of replicates out of range.
//
//   kT              interval.h
//   kPercentile     percentile bootstrap: the interval of the duet paper (Bulej et al., ICPE 2020,
//                   section 3, there at 99 % with 10,000 replicates). Too narrow for few runs by
//                   the factor sqrt((R-1)/R) and by using normal for t quantiles
//
// A bootstrap resamples the runs as a whole: the statistic is the mean of their logarithms. With
// the same seed the order of the runs does not matter. 10,000 replicates of 30 runs take about 1
// ms.
absl::StatusOr<RatioInterval> IntervalOfRuns(absl::Span<const double> run_log_ratios,
                                             const IntervalOptions& options = {});

// The hierarchical bootstrap (bootstrap.h) of the logarithms of the ratios of all pairs: the ratio
// is that of Estimator::kGeomean. It adds the spread of the pairs to that
// of the runs, which already contains it: up to sqrt(2) times too wide when runs do not differ, and
// still somewhat too narrow for R < 10 when they do.
absl::StatusOr<RatioInterval> HierarchicalInterval(absl::Span<const RunPairs> runs,
                                                   const IntervalOptions& options,
                                                   absl::Span<const int> machine = {});

// The published duet procedure: geometric means of winsorized runs (outliers.h), and
// their percentile bootstrap at 99 % with 10,000 replicates.
absl::StatusOr<RatioInterval> PaperInterval(std::vector<RunPairs> runs, std::uint64_t seed);

// A sentence if bootstrap intervals of this kind of so few runs (of several machines: machines) are
// known to be too narrow, else empty: fewer than 93 % of a nominal 95 %, or 98 % of a nominal 99 %,
// contained the ratio in simulations of a virtual machine (model B of decide/interval.h).
std::string NarrownessWarning(IntervalKind kind, std::size_t runs);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_COMPUTE_INTERVAL_H_
