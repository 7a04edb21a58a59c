#ifndef DUETBENCH_DECISION_LAYOUTS_H_
#define DUETBENCH_DECISION_LAYOUTS_H_

#include <optional>
#include <vector>

#include "absl/types/span.h"

namespace duetbench::stats {

// Runs of several link layouts of the same objects. Identical functions differ by where the linker
// has placed them, in every run of one layout by the same amount (Mytkowicz et al., ASPLOS 2009;
// Curtsinger and Berger, ASPLOS 2013). So the runs of a layout are not independent: an interval for
// the code is made of one value for each layout, their mean. The t interval of these means
// (AnalysisInterval) is valid whatever part of the spread is layout, and has a degree of freedom
// less than there are layouts. A pooled estimate that drops the level where it seems to be nothing
// would be narrower, and would miss the ratio more often than it says.

// The mean of the values of each layout, in ascending order of `layouts`, which is parallel to
// `values`. Layouts have equal weight in what follows.
std::vector<double> LayoutMeans(absl::Span<const double> values, absl::Span<const int> layouts);

// Division of the spread of run values; all are logarithms of ratios.
struct LayoutSpread {
  int layouts = 0;  // with a run
  // Effect of layout 0, that of the program itself: its mean minus the mean over all layouts;
  // nothing if it has no run.
  std::optional<double> own_effect;
  // Standard deviations by the one-way analysis of variance (Searle, Casella and McCulloch,
  // Variance Components, 1992, section 3.6): between the layouts, without what the spread of runs
  // adds to it, and between the runs of one. Nothing if no layout has two runs.
  std::optional<double> layout_sd;
  std::optional<double> run_sd;
};

// `values` are finite, and at least two layouts have one, or the program stops. O(n log n).
LayoutSpread ComputeLayoutSpread(absl::Span<const double> values, absl::Span<const int> layouts);

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECISION_LAYOUTS_H_
