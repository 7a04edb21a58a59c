#ifndef DUETBENCH_MEASURE_PLANNED_SCHEDULE_H_
#define DUETBENCH_MEASURE_PLANNED_SCHEDULE_H_

#include <variant>

#include "duetbench/measure/duet_schedule.h"
#include "duetbench/measure/pair_schedule.h"
#include "duetbench/measure/turn_schedule.h"

namespace duetbench {

// The schedule that the plan asks for, in place: a loop lies on its own pages, where leak
// checkers do not look for pointers to the heap.
class PlannedSchedule {
 public:
  explicit PlannedSchedule(const PairSchedule::Loop& loop);
  PairSchedule* operator->() const { return schedule_; }

 private:
  std::variant<std::monostate, DuetSchedule, TurnSchedule> schedules_;
  PairSchedule* schedule_;
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_PLANNED_SCHEDULE_H_
