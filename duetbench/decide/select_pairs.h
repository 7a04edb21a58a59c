#ifndef DUETBENCH_DECIDE_SELECT_PAIRS_H_
#define DUETBENCH_DECIDE_SELECT_PAIRS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/decision.h"
#include "duetbench/decide/pairs.h"
#include "duetbench/record/options.h"
#include "duetbench/record/run_result.h"

namespace duetbench {

// The pairs that are used, and the samples in them. Arrays are indexed by variant, 0 old and 1 new.
struct UsedPairs {
  uint64_t pairs = 0;
  uint64_t dropped = 0;         // left out: disturbed or without a time
  bool kept_disturbed = false;  // most pairs were disturbed, so they were used
  // Per iteration: untrimmed means over the undisturbed samples, both assignments with equal
  // weight.
  double time_ns[2] = {0, 0};
  double cpu_ns[2] = {0, 0};
  uint64_t iterations[2] = {0, 0};
  // Those of the longest run (or call, of a function that is called for each sample), since all
  // begin with the same inputs; of all runs, where the variant draws its inputs from the seed of
  // the run (State::seed).
  uint64_t distinct_iterations[2] = {0, 0};
};

// The pairs that an estimate uses, and what each run with such pairs says of the ratio.
struct SelectedPairs : UsedPairs, stats::DecisionInput {
  // Parallel to `values`.
  std::vector<stats::RunPairs> runs;        // times per iteration in ns, real or CPU time
  std::vector<stats::RunPairs> total_runs;  // for the ratio of totals: some more pairs of them
  double sample_iterations[2] = {0, 0};     // of a sample, on average
  std::vector<double> skews_ns;             // absolute
  uint64_t untimed = 0;                     // of the dropped ones
  bool lacks_time[2] = {false, false};      // the variant had no time in some of them
  // stats::PairSelection
  int one_sided_runs = 0;
  bool uses_one_sided = false;
  double disturbed_share = 0;

  // Each sample is one iteration of its variant. Otherwise quantiles of samples are not those of
  // calls.
  bool has_single_calls() const { return sample_iterations[0] == 1 && sample_iterations[1] == 1; }
};
SelectedPairs SelectPairs(absl::Span<const RunResult> results, const ExperimentOptions& options,
                          double ns_per_tick);

// The pairs that the ratio of totals uses, of each run or, with several code layouts, of each
// layout: a slow call that was preempted stays, with its time on the CPU.
std::vector<stats::RunPairs> IndependentCalls(const SelectedPairs& selected);

// The policy of the decision that the options ask for, in an analysis that has a share of 1 - level
// (decide/interim_analysis.h).
stats::DecisionPolicy PolicyOf(const ExperimentOptions& options, double share);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_SELECT_PAIRS_H_
