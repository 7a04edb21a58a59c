#ifndef DUETBENCH_ESTIMATE_SELECT_PAIRS_H_
#define DUETBENCH_ESTIMATE_SELECT_PAIRS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decision/decision.h"
#include "duetbench/decision/run_value.h"
#include "duetbench/decision/two_speeds.h"
#include "duetbench/plan/options.h"
#include "duetbench/sampling/run_result.h"
#include "duetbench/stats/pairs.h"

namespace duetbench {

// Why the interval decides nothing.
struct Reservations {
  // Pairs that were disturbed had to be used, and the times of most of them are not known.
  bool is_biased = false;
  bool lacks_work[2] = {false, false};  // LacksWork of each variant (lost_work.h)
  // PauseShare of each variant, where it is so large that what is left is no time (pause_cost.h).
  double pause_share[2] = {0, 0};
  // The variants disturb each other, and a schedule was demanded in which they run together.
  bool measured_together = false;
  // The time was over after one of several runs: how much processes differ is not known.
  bool is_one_of_runs = false;
  // A variant runs at two speeds with another ratio at each: the verdict and gates hold at both of
  // them, or are undecided.
  std::optional<stats::TwoSpeeds> two_speeds;

  bool is_withheld() const {
    return is_biased || measured_together || is_one_of_runs || lacks_work[0] || lacks_work[1] ||
           pause_share[0] > 0 || pause_share[1] > 0;
  }
};

// The pairs that an estimate uses, and what each run with such pairs says of the ratio.
struct SelectedPairs : Reservations {
  // Parallel, one for each run.
  std::vector<stats::RunValue> values;      // what decisions are made of (decision/decision.h)
  std::vector<stats::RunPairs> runs;        // times per iteration in ns, real or CPU time
  std::vector<stats::RunPairs> total_runs;  // for the ratio of totals: some more pairs of them
  // Means of the samples of each variant, per iteration; both assignments with equal weight.
  double time_ns[2] = {0, 0};
  double cpu_ns[2] = {0, 0};
  double sample_iterations[2] = {0, 0};  // of a sample, on average
  uint64_t iterations[2] = {0, 0};
  std::vector<double> skews_ns;  // absolute
  std::vector<double> overlaps;
  uint64_t pairs = 0;
  uint64_t dropped = 0;
  uint64_t untimed = 0;                 // of the dropped ones
  bool lacks_time[2] = {false, false};  // the variant had no time in some of them
  // stats::PairSelection
  int one_sided_runs = 0;
  bool uses_one_sided = false;
  bool kept_disturbed = false;
  double disturbed_share = 0;
};
SelectedPairs SelectPairs(absl::Span<const RunResult> results, const ExperimentOptions& options,
                          double ns_per_tick);

// The policy of the decision that the options ask for, in an analysis that has a share of 1 - level
// (decision/interim_analysis.h).
stats::DecisionPolicy PolicyOf(const ExperimentOptions& options, double share);

// The same for pairs with these reservations. Means over two speeds differ by themselves from the
// ratio of totals, which is no slow path: the typical ratio decides unless another one was chosen.
stats::DecisionPolicy PolicyFor(const Reservations& reservations, const ExperimentOptions& options,
                                double share);

}  // namespace duetbench

#endif  // DUETBENCH_ESTIMATE_SELECT_PAIRS_H_
