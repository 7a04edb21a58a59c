#ifndef DUETBENCH_DECIDE_RESERVATIONS_H_
#define DUETBENCH_DECIDE_RESERVATIONS_H_

#include <optional>

#include "duetbench/decide/two_speeds.h"

namespace duetbench::stats {

// Why there is no verdict, or why a gate is undecided.
enum class Why {
  kDecided,  // there is one
  // The ratio decides nothing, whatever its interval (Reservations):
  kBiased,
  kMeasuredTogether,
  kOneRun,
  kPauses,
  kLacksWork,
  // The ratio decides, but not this:
  kTwoSpeeds,  // it would be decided otherwise at one of two speeds
  kOpenTotal,  // it would be decided otherwise by the total ratio (Decision::open_total)
  kWide,       // the interval is too wide
};

// Findings about the pairs of an experiment that limit what its ratio decides.
struct Reservations {
  // Pairs that were disturbed had to be used, and the times of most of them are not known.
  bool is_biased = false;
  bool lacks_work[2] = {false, false};  // LacksWork of each variant (lost_work.h)
  // PauseShare of each variant, where it is so large that what is left is no time (pause_cost.h).
  double pause_share[2] = {0, 0};
  // The variants disturb each other, and a schedule was demanded in which they run together.
  bool measured_together = false;
  // The spread of runs is not known.
  bool is_one_run = false;
  // A variant runs at two speeds with another ratio at each: the verdict and gates hold at both of
  // them, or are undecided. Means over two speeds differ by themselves from the ratio of totals,
  // which is no slow path: the typical ratio decides unless another one was chosen.
  std::optional<TwoSpeeds> two_speeds;

  // The ratio depends on the position in a run, and ln of that of a much longer run may differ by
  // this much: the interval is wider by it, and the ratio of total times decides unless another one
  // was chosen. 0: it does not depend.
  double position_error = 0;

  // The first reservation by which the ratio decides nothing; kDecided: there is none.
  Why why_withheld() const {
    if (is_biased) return Why::kBiased;
    if (measured_together) return Why::kMeasuredTogether;
    if (is_one_run) return Why::kOneRun;
    if (pause_share[0] > 0 || pause_share[1] > 0) return Why::kPauses;
    return lacks_work[0] || lacks_work[1] ? Why::kLacksWork : Why::kDecided;
  }
  bool is_withheld() const { return why_withheld() != Why::kDecided; }
};

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_RESERVATIONS_H_
