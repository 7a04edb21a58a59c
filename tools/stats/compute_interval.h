#ifndef DUETBENCH_TOOLS_STATS_COMPUTE_INTERVAL_H_
#define DUETBENCH_TOOLS_STATS_COMPUTE_INTERVAL_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/pairs.h"
#include "tools/stats/bootstrap_interval.h"

namespace duetbench::stats {

// ln(new/old) of each run. InvalidArgument if CheckRuns fails.
absl::StatusOr<std::vector<double>> RunLogRatios(absl::Span<const RunPairs> runs,
                                                 Estimator estimator);

// Which interval of the ratio to compute.
struct IntervalOptions {
  IntervalKind kind = IntervalKind::kT;
  double level = 0.99;
  Estimator estimator = Estimator::kTrimmed;
  Resampling resampling;  // for the bootstrap kinds
};

// The interval of any kind but kRobust, kHierarchical and kEwc, which need the pairs, from the
// log-ratios of the runs as RunLogRatios gives them; options.estimator is not used. For several
// intervals of one experiment, so that its pairs are gone through once. Errors as below.
absl::StatusOr<RatioInterval> IntervalOfRuns(absl::Span<const double> run_log_ratios,
                                             const IntervalOptions& options = {});

// The interval of any kind from the pairs of an experiment: one entry to what interval.h,
// bootstrap_interval.h, hodges_lehmann.h, anytime.h and hierarchical_interval.h offer, the typical
// interval of duetbench/decision/decision.h (kRobust), and kEwc; their conditions and costs
// apply. kEwc needs exactly one run, every other kind at least two. InvalidArgument says which
// condition is not met.
absl::StatusOr<RatioInterval> ComputeInterval(absl::Span<const RunPairs> runs,
                                              const IntervalOptions& options = {});

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_COMPUTE_INTERVAL_H_
