#include "duetbench/measure/planned_schedule.h"

namespace duetbench {

PlannedSchedule::PlannedSchedule(const PairSchedule::Loop& loop) {
  switch (loop.plan.schedule) {
    case Schedule::kDuet:
      schedule_ = &schedules_.emplace<DuetSchedule>(loop);
      break;
    case Schedule::kInterleaved:
    case Schedule::kAlternating:
      schedule_ = &schedules_.emplace<TurnSchedule>(loop);
      break;
  }
}

}  // namespace duetbench
