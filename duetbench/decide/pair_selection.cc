#include "duetbench/decide/pair_selection.h"

#include <algorithm>

#include "duetbench/decide/decision_policy.h"

namespace duetbench::stats {

void PairCounts::Add(const PairState& pair, int assignment) {
  if (!pair.timed) return;
  OfAssignment& pairs = of[assignment];
  ++pairs.timed;
  if (pair.disturbed) ++pairs.disturbed;
  if (pair.disturbed && pair.corrected) ++pairs.corrected;
}

PairSelection::PairSelection(absl::Span<const PairCounts> runs, bool keep_disturbed) {
  PairCounts::OfAssignment all;
  int timed_runs = 0;
  int undisturbed_runs = 0;
  for (const PairCounts& run : runs) {
    for (const PairCounts::OfAssignment& pairs : run.of) {
      all.timed += pairs.timed;
      all.disturbed += pairs.disturbed;
      all.corrected += pairs.corrected;
    }
    const uint64_t timed = run.of[0].timed + run.of[1].timed;
    if (timed > 0) ++timed_runs;
    if (timed > run.of[0].disturbed + run.of[1].disturbed) ++undisturbed_runs;
  }
  if (all.timed > 0) {
    disturbed_share = static_cast<double>(all.disturbed) / static_cast<double>(all.timed);
    const bool lacks_times = static_cast<double>(all.corrected) <
                             kDecision.min_corrected_share * static_cast<double>(all.disturbed);
    const int emptied_runs = timed_runs - undisturbed_runs;
    const int fewest_runs =
        lacks_times ? std::min(2, timed_runs) : kDecision.whole_runs_per_one_sided * emptied_runs;
    uses_disturbed =
        disturbed_share > kDecision.max_disturbed_share || undisturbed_runs < fewest_runs;
    is_biased = uses_disturbed && lacks_times;
  }
  const bool keeps_all = keep_disturbed && all.disturbed > 0;
  uses_disturbed = uses_disturbed || keeps_all;
  uses_uncorrected = is_biased || keeps_all;

  int whole = 0;
  for (const PairCounts& run : runs) {
    const bool used[2] = {UsesAny(run.of[0]), UsesAny(run.of[1])};
    is_one_sided.push_back(run.of[0].timed > 0 && run.of[1].timed > 0 && used[0] != used[1]);
    if (is_one_sided.back()) ++one_sided_runs;
    if (used[0] && used[1]) ++whole;
  }
  uses_one_sided =
      one_sided_runs > 0 && whole < kDecision.whole_runs_per_one_sided * one_sided_runs;
}

bool PairSelection::UsesAny(const PairCounts::OfAssignment& pairs) const {
  if (pairs.timed > pairs.disturbed) return true;
  if (!uses_disturbed) return false;
  return uses_uncorrected ? pairs.disturbed > 0 : pairs.corrected > 0;
}

}  // namespace duetbench::stats
