#ifndef DUETBENCH_DECIDE_SELECT_PAIRS_H_
#define DUETBENCH_DECIDE_SELECT_PAIRS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/decision.h"
#include "duetbench/decide/pairs.h"
#include "duetbench/record/options.h"
#include "duetbench/record/run_result.h"

namespace duetbench::stats {

// Properties of a pair before any is left out.
struct PairState {
  bool timed = true;       // both variants took measurable time
  bool disturbed = false;  // a variant was preempted or migrated
  bool corrected = false;  // disturbed, and its times are known: those on the CPU
};

// The pairs of one run, by assignment.
struct PairCounts {
  struct OfAssignment {
    uint64_t timed = 0;
    uint64_t disturbed = 0;  // of the timed ones
    uint64_t corrected = 0;  // of the disturbed ones
  } of[2];

  void Add(const PairState& pair, int assignment);
};

// The rule that selects the pairs and runs of an experiment for its estimate, wherever they come
// from.
//
// Pairs without a time are never used. Disturbed pairs are left out of the typical ratio, as a
// preempted variant comes back to cold caches. But a long sample is preempted more often than a
// short one: slow calls would vanish from the total ratio. It uses the corrected pairs too.
//
// Where more than half of the timed pairs of the experiment are disturbed, those that are left are
// no fair sample for either ratio, and disturbed pairs are used for both: the corrected ones if
// nine in ten are, else all, which is biased, as the longer variant is preempted more often.
// Corrected ones are used too when leaving them out would empty more than a quarter of the runs,
// and all when it would empty all runs but one.
//
// Runs that lost all pairs with one of the two assignments of variants to CPUs (or orders) are left
// out where three in four of the runs are whole, else used: what they say of the ratio is mixed
// with what distinguishes the CPUs.
struct PairSelection {
  // `keep_disturbed`: all pairs with a time are used, whatever the rule says.
  explicit PairSelection(absl::Span<const PairCounts> runs, bool keep_disturbed = false);

  // True if no pair of this run, from 0, is used.
  bool LeavesOut(std::size_t run) const { return is_one_sided[run] && !uses_one_sided; }
  // For the typical ratio.
  bool Uses(const PairState& pair) const {
    if (!pair.timed || !pair.disturbed) return pair.timed;
    return uses_disturbed && (pair.corrected || uses_uncorrected);
  }
  // For the ratio of totals: these pairs, and the corrected ones.
  bool UsesInTotal(const PairState& pair) const {
    return Uses(pair) || (pair.timed && pair.disturbed && pair.corrected);
  }

  bool uses_disturbed = false;
  bool uses_uncorrected = false;  // disturbed pairs whose times are not known, too
  bool is_biased = false;         // the same, and not by demand: nothing can be decided
  double disturbed_share = 0;     // of the timed pairs, 0 to 1
  // Runs that lost an assignment, and whether they are used.
  std::vector<bool> is_one_sided;
  int one_sided_runs = 0;
  bool uses_one_sided = false;

 private:
  bool UsesAny(const PairCounts::OfAssignment& pairs) const;
};

}  // namespace duetbench::stats

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

// The pairs that a ratio uses, and what each run with such pairs says of it.
struct SelectedPairs : UsedPairs, stats::DecisionInput {
  // Parallel to `values`.
  std::vector<stats::RunPairs> runs;        // times per iteration in ns, real or CPU time
  std::vector<stats::RunPairs> total_runs;  // for the ratio of totals: some more pairs of them
  double sample_iterations[2] = {0, 0};     // of a sample, on average
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

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_SELECT_PAIRS_H_
