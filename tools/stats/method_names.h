#ifndef DUETBENCH_TOOLS_STATS_METHOD_NAMES_H_
#define DUETBENCH_TOOLS_STATS_METHOD_NAMES_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/stats/estimator.h"
#include "duetbench/stats/interval.h"
#include "tools/stats/outliers.h"

namespace duetbench::stats {

// The names of the methods on the command line and in the output. The Parse functions are the
// inverse; their InvalidArgument lists the names that exist.

// "robust", "t", "percentile", "expanded", "n-1", "basic", "bca", "boot-t", "hl", "hier",
// "anytime" or "ewc".
absl::string_view IntervalKindName(IntervalKind kind);
absl::StatusOr<IntervalKind> ParseIntervalKind(absl::string_view name);

// "trimmed", "geomean" or "median".
absl::string_view EstimatorName(Estimator estimator);
absl::StatusOr<Estimator> ParseEstimator(absl::string_view name);

// "none", "range20" or "value20".
absl::string_view OutlierRuleName(OutlierRule rule);
absl::StatusOr<OutlierRule> ParseOutlierRule(absl::string_view name);

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_METHOD_NAMES_H_
