#ifndef DUETBENCH_STATS_PAIR_SELECTION_H_
#define DUETBENCH_STATS_PAIR_SELECTION_H_

#include <cstdint>

#include "absl/types/span.h"

namespace duetbench::stats {

// What is known of the pairs of one run before any of them is left out.
struct PairCounts {
  uint64_t timed = 0;      // both variants took measurable time
  uint64_t disturbed = 0;  // of these: a variant was preempted or migrated
};

// The rule that selects the pairs of an experiment for its estimate, wherever the pairs come from.
//
// Pairs without a time are never used. Disturbed pairs are left out, unless more than half of the
// timed pairs of the experiment are disturbed: then those that are left are no fair sample (long
// pairs are preempted in every sample, and short ones are not), and all timed pairs are used. They
// are used too when leaving them out would empty all runs but one, since an interval needs two.
class PairSelection {
 public:
  explicit PairSelection(absl::Span<const PairCounts> runs);

  bool uses_disturbed() const { return uses_disturbed_; }
  // Of the timed pairs, 0 to 1.
  double disturbed_share() const { return disturbed_share_; }

  bool Uses(bool timed, bool disturbed) const { return timed && (uses_disturbed_ || !disturbed); }

 private:
  bool uses_disturbed_ = false;
  double disturbed_share_ = 0;
};

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_PAIR_SELECTION_H_
