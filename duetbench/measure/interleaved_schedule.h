#ifndef DUETBENCH_MEASURE_INTERLEAVED_SCHEDULE_H_
#define DUETBENCH_MEASURE_INTERLEAVED_SCHEDULE_H_

#include <cstdint>

#include "duetbench/measure/pair_schedule.h"

namespace duetbench {

// One variant after the other on one CPU; the order is drawn for each two turns (OldGoesFirst). A
// turn is a sample, or a block of them: all turns of kAlternating, and the segments of
// kInterleaved.
class InterleavedSchedule final : public PairSchedule {
 public:
  using PairSchedule::PairSchedule;
  void Closed(bool recorded) override;
  Opening Open() override;

 private:
  bool OrderOfTurn() const;

  uint32_t turns_ = 0;  // begun
  bool old_goes_first_ = false;
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_INTERLEAVED_SCHEDULE_H_
