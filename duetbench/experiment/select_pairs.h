#ifndef DUETBENCH_EXPERIMENT_SELECT_PAIRS_H_
#define DUETBENCH_EXPERIMENT_SELECT_PAIRS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/experiment/options.h"
#include "duetbench/experiment/run_result.h"
#include "duetbench/stats/layouts.h"
#include "duetbench/stats/pairs.h"

namespace duetbench {

// Why the interval decides nothing.
struct Reservations {
  // Pairs that were disturbed had to be used, and the times of most of them are not known.
  bool is_biased = false;
  bool lacks_work[2] = {false, false};  // a variant takes no more time than an empty loop
  // The variants disturb each other, and a schedule was demanded in which they run together.
  bool measured_together = false;

  // Two variants without work are compared all the same.
  bool is_withheld() const {
    return is_biased || measured_together || lacks_work[0] != lacks_work[1];
  }
};

// The pairs that an estimate uses, and what each run with such pairs says of the ratio.
struct SelectedPairs : Reservations {
  std::vector<stats::RunPairs> runs;  // times per iteration in ns, real or CPU time
  // What the intervals are made of: a value for each run or, with several link layouts, for each
  // layout (stats/layouts.h).
  std::vector<stats::RunPairs> total_runs;  // for the ratio of totals: some more pairs of them
  std::vector<double> run_log_ratios;       // the trimmed mean of each run, or the means of these
  std::vector<double> run_values;           // for the typical ratio: weighted (stats/run_weights.h)
  std::optional<stats::LayoutSpread> layouts;
  // Means of the samples of each variant, per iteration; both assignments with equal weight.
  double time_ns[2] = {0, 0};
  double cpu_ns[2] = {0, 0};
  double sample_iterations[2] = {0, 0};  // of a sample, on average
  uint64_t iterations[2] = {0, 0};
  std::vector<double> skews_ns;  // absolute
  std::vector<double> overlaps;
  uint64_t pairs = 0;
  uint64_t dropped = 0;
  uint64_t untimed = 0;  // of the dropped ones
  // Runs that lost all pairs with one of the two assignments of variants to CPUs (or orders): what
  // they say of the ratio is mixed with what distinguishes the CPUs. They are left out where three
  // in four of the runs are whole, else used.
  int one_sided_runs = 0;
  bool uses_one_sided = false;
  bool kept_disturbed = false;  // stats::PairSelection
  double disturbed_share = 0;
};
SelectedPairs SelectPairs(absl::Span<const RunResult> results, const ExperimentOptions& options,
                          double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_SELECT_PAIRS_H_
