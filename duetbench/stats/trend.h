#ifndef DUETBENCH_STATS_TREND_H_
#define DUETBENCH_STATS_TREND_H_

#include "absl/types/span.h"

namespace duetbench::stats {

// Mann-Kendall test (Mann 1945; Kendall 1975) of 'no trend' in a series whose values are
// independent otherwise: S = number of later values that are above an earlier one, less those
// below. Ranks only, so heavy tails raise no alarm.
struct MannKendall {
  double tau;  // S over the number of pairs of values; in [-1, 1], +1 for ascending values
  double p;    // two-sided, normal approximation with tie and continuity correction; below 8 values
               // it cannot fall under 0.001
};

// At least 2 values, or the program stops. O(n^2): 20 us for 100 values, 10 ms for 2000.
MannKendall MannKendallTest(absl::Span<const double> series);

// Theil-Sen slope: the median of the slopes of all pairs of values, per step of the series. Up to
// 29 % of the values may be arbitrarily wrong. At least 2 values, or the program stops. O(n^2) time
// and memory: 2000 values take 30 ms and 16 MB.
double TheilSenSlope(absl::Span<const double> series);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_TREND_H_
