#ifndef DUETBENCH_TOOLS_STATS_RULES_DIFFERENCE_OF_MEANS_H_
#define DUETBENCH_TOOLS_STATS_RULES_DIFFERENCE_OF_MEANS_H_

#include "absl/status/statusor.h"
#include "tools/stats/bootstrap_interval.h"
#include "tools/stats/outliers.h"
#include "tools/stats/rules/decision_rules.h"

namespace duetbench::stats {

// The standard method that the duet paper compares itself with (Bulej et al., ICPE 2020, section
// 4.1): each variant is measured alone, in whole runs in random order, and the result is the
// percentile bootstrap interval of the difference of the two means, relative to the mean of all
// times. All fields are fractions of that mean (0.01: 1 %), except for the mean itself.
struct MeansDifference {
  double difference;  // mean of new less mean of old
  double lo;
  double hi;
  double mean;  // of all times of both variants, in their unit
  double level;
};

// The means are those of the runs' means, so that every run has the same weight; a replicate draws
// as many runs as there are, for each variant on its own. With `winsorize` at most one time of each
// run is replaced by its neighbor first, as in section 4 of the paper.
//
// InvalidArgument as CheckSample, CheckLevel and CheckResampling, and for fewer than two runs of a
// variant. O(replicates * runs).
absl::StatusOr<MeansDifference> DifferenceOfMeans(const Sample& old_times, const Sample& new_times,
                                                  double level, const Resampling& resampling = {},
                                                  OutlierRule winsorize = OutlierRule::kNone);

// The sample with at most one time of each run replaced (outliers.h).
Sample WinsorizeSample(Sample sample, OutlierRule rule);

// hi - lo: the width by which the paper compares methods.
inline double RelativeWidth(const MeansDifference& difference) {
  return difference.hi - difference.lo;
}

}  // namespace duetbench::stats

#endif  // DUETBENCH_TOOLS_STATS_RULES_DIFFERENCE_OF_MEANS_H_
