#ifndef DUETBENCH_MEASURE_TURN_SCHEDULE_H_
#define DUETBENCH_MEASURE_TURN_SCHEDULE_H_

#include <cstdint>

#include "duetbench/measure/pair_schedule.h"

namespace duetbench {

// The variants, one after the other on one CPU, in the order of a Latin square (VariantAtPlace; of
// two variants ABBA or BAAB): each has a sample in a turn (kInterleaved), or a block of them in a
// segment (all of kAlternating but its calibration and warm-up, and the segments of kInterleaved).
// Sample::assignment is the place of the variant in the turn.
class TurnSchedule final : public PairSchedule {
 public:
  using PairSchedule::PairSchedule;
  void Closed(bool recorded) override;
  Opening Open() override;

 private:
  Turn& turn() { return loop_.block.turn; }
  int variants() const { return static_cast<int>(loop_.plan.variants); }
  // Decides with the times of all what the next turn is.
  void Advance();
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_TURN_SCHEDULE_H_
