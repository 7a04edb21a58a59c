#ifndef DUETBENCH_STATS_PAIR_SELECTION_H_
#define DUETBENCH_STATS_PAIR_SELECTION_H_

#include <cstdint>

#include "absl/types/span.h"

namespace duetbench::stats {

// What is known of the pairs of one run before any of them is left out.
struct PairCounts {
  uint64_t timed = 0;      // both variants took measurable time
  uint64_t disturbed = 0;  // of these: a variant was preempted or migrated
  uint64_t corrected = 0;  // of the disturbed ones: their times are known nevertheless
};

// What is known of a pair.
struct PairState {
  bool timed = true;
  bool disturbed = false;
  bool corrected = false;  // disturbed, and its times are those on the CPU
};

// The rule that selects the pairs of an experiment for its estimate, wherever the pairs come from.
//
// Pairs without a time are never used. Disturbed pairs are left out of the typical ratio, as a
// preempted variant comes back to cold caches. But a long sample is preempted more often than a
// short one: slow calls would vanish from the total ratio. It uses the corrected pairs too.
//
// Where more than half of the timed pairs of the experiment are disturbed, those that are left are
// no fair sample for either ratio, and disturbed pairs are used for both: the corrected ones if
// nine in ten are, else all, which is biased, as the longer variant is preempted more often. They
// are used too when leaving them out would empty all runs but one, since an interval needs two.
class PairSelection {
 public:
  explicit PairSelection(absl::Span<const PairCounts> runs);

  bool uses_disturbed() const { return uses_disturbed_; }
  // Of the timed pairs, 0 to 1.
  double disturbed_share() const { return disturbed_share_; }

  // Disturbed pairs are used whose times are not known: nothing can be decided.
  bool is_biased() const { return is_biased_; }

  // For the typical ratio.
  bool Uses(const PairState& pair) const {
    if (!pair.timed || !pair.disturbed) return pair.timed;
    return uses_disturbed_ && (pair.corrected || is_biased_);
  }
  // For the ratio of totals: these pairs, and the corrected ones.
  bool UsesInTotal(const PairState& pair) const {
    return Uses(pair) || (pair.timed && pair.disturbed && pair.corrected);
  }

 private:
  bool uses_disturbed_ = false;
  bool is_biased_ = false;
  double disturbed_share_ = 0;
};

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_PAIR_SELECTION_H_
