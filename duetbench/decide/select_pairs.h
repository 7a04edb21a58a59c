#ifndef DUETBENCH_DECIDE_SELECT_PAIRS_H_
#define DUETBENCH_DECIDE_SELECT_PAIRS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/decision.h"
#include "duetbench/record/options.h"
#include "duetbench/record/run_result.h"
#include "duetbench/stats/pairs.h"

namespace duetbench {

// The pairs that an estimate uses, and what each run with such pairs says of the ratio.
struct SelectedPairs : stats::DecisionInput {
  // Parallel to `values`.
  std::vector<stats::RunPairs> runs;        // times per iteration in ns, real or CPU time
  std::vector<stats::RunPairs> total_runs;  // for the ratio of totals: some more pairs of them
  // Means of the samples of each variant, per iteration; both assignments with equal weight.
  double time_ns[2] = {0, 0};
  double cpu_ns[2] = {0, 0};
  double sample_iterations[2] = {0, 0};  // of a sample, on average
  uint64_t iterations[2] = {0, 0};
  uint64_t distinct_iterations[2] = {0, 0};  // Measured
  std::vector<double> skews_ns;              // absolute
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
// (decide/interim_analysis.h).
stats::DecisionPolicy PolicyOf(const ExperimentOptions& options, double share);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_SELECT_PAIRS_H_
