#ifndef DUETBENCH_TOOLS_DUET_LAB_PAPERS_WIDTHS_H_
#define DUETBENCH_TOOLS_DUET_LAB_PAPERS_WIDTHS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tools/duet_lab/papers/collection.h"
#include "tools/duet_stat/pairs_data.h"
#include "tools/stats/outliers.h"

namespace duetbench::lab {

// Relative widths of 99 % intervals, by which the duet paper compares methods (Bulej et al., ICPE
// 2020, section 4.1). Pure functions; all results are fractions (0.01: 1 %). NaN where there is no
// interval, as with fewer than two runs or an unbounded one.

// The paper's procedure: all pairs, disturbed or not, winsorized; geometric means of runs;
// percentile bootstrap. `shuffled`: the pairing is taken away first (section 4.2).
double PaperWidth(const duet_stat::BenchmarkPairs& pairs, bool shuffled, uint64_t seed);

// Ours: undisturbed pairs, trimmed means, t.
double OurWidth(const duet_stat::BenchmarkPairs& pairs);

// The standard method: the difference of means relative to the mean.
double StandardWidth(const StandardTimes& times, stats::OutlierRule winsorize, uint64_t seed);

// Geometric mean of the positive finite values; NaN if there is none.
double GeometricMean(absl::Span<const double> values);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_PAPERS_WIDTHS_H_
