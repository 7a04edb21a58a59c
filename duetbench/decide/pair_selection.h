#ifndef DUETBENCH_DECIDE_PAIR_SELECTION_H_
#define DUETBENCH_DECIDE_PAIR_SELECTION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

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

#endif  // DUETBENCH_DECIDE_PAIR_SELECTION_H_
