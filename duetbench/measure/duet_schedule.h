#ifndef DUETBENCH_MEASURE_DUET_SCHEDULE_H_
#define DUETBENCH_MEASURE_DUET_SCHEDULE_H_

#include "duetbench/measure/pair_schedule.h"

namespace duetbench {

// Each variant has its own CPU; they swap CPUs between blocks. In a segment one executes its
// block while the other sleeps, then the other one its own.
class DuetSchedule final : public ConcurrentSchedule {
 public:
  using ConcurrentSchedule::ConcurrentSchedule;
  void Closed(bool recorded) override;
  Opening Open() override;
  uint64_t EnterLoop() override;

 protected:
  int Place() const override { return loop_.variant ^ loop_.controller.assignment(); }

 private:
  // Waits until it is this loop's turn to be alone, or until the segment is over. False: the
  // partner has left.
  bool BeginSegment();
  bool EndSegment();
  bool GoesFirstAlone() const;

  bool is_in_segment_ = false;
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_DUET_SCHEDULE_H_
