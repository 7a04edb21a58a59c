#include "duetbench/stats/pair_selection.h"

namespace duetbench::stats {
namespace {

constexpr double kMaxDisturbedShare = 0.5;
constexpr double kMinCorrectedShare = 0.9;

}  // namespace

PairSelection::PairSelection(absl::Span<const PairCounts> runs) {
  PairCounts all;
  int timed_runs = 0;
  int undisturbed_runs = 0;
  for (const PairCounts& run : runs) {
    all.timed += run.timed;
    all.disturbed += run.disturbed;
    all.corrected += run.corrected;
    if (run.timed > 0) ++timed_runs;
    if (run.timed > run.disturbed) ++undisturbed_runs;
  }
  if (all.timed == 0) return;
  disturbed_share_ = static_cast<double>(all.disturbed) / static_cast<double>(all.timed);
  uses_disturbed_ =
      disturbed_share_ > kMaxDisturbedShare || (timed_runs >= 2 && undisturbed_runs < 2);
  is_biased_ = uses_disturbed_ && static_cast<double>(all.corrected) <
                                      kMinCorrectedShare * static_cast<double>(all.disturbed);
}

}  // namespace duetbench::stats
