#include "duetbench/measure/planned_schedule.h"

namespace duetbench {

PlannedSchedule::PlannedSchedule(const PairSchedule::Loop& loop) {
  if (IsGroup(loop.plan)) {
    schedule_ = &schedules_.emplace<TurnSchedule>(loop);
    return;
  }
  switch (loop.plan.schedule) {
    case Schedule::kDuet:
      schedule_ = &schedules_.emplace<DuetSchedule>(loop);
      break;
    case Schedule::kInterleaved:
    case Schedule::kAlternating:
      schedule_ = &schedules_.emplace<InterleavedSchedule>(loop);
      break;
    case Schedule::kCrossed:
      schedule_ = &schedules_.emplace<LaneSchedule>(loop);
      break;
  }
}

}  // namespace duetbench
