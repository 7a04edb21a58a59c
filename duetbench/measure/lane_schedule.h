#ifndef DUETBENCH_MEASURE_LANE_SCHEDULE_H_
#define DUETBENCH_MEASURE_LANE_SCHEDULE_H_

#include <cstdint>

#include "duetbench/measure/pair_schedule.h"

namespace duetbench {

// Both variants on each of the two CPUs, in a loop each: kCrossed. The two loops of
// a CPU, its lane, hand it over to each other; between the lanes the loops whose turn it is meet.
class LaneSchedule final : public ConcurrentSchedule {
 public:
  using ConcurrentSchedule::ConcurrentSchedule;
  void Closed(bool recorded) override;
  Opening Open() override;
  uint64_t EnterLoop() override;

 private:
  // The next step of the lane: a sample that both lanes meet for, one in a segment in which the
  // other lane sleeps; or it meets the other lane after a segment.
  enum class Step { kMeet, kAlone, kEndAlone };
  Step NextStep();
  // The variant of the first sample of the pair, or the assignment of a pair that is met for; and
  // the variant of the next sample.
  int First(Step step) const;
  int Next(Step step, int first) const;
  bool MeetAfterSegment();
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_LANE_SCHEDULE_H_
