#ifndef DUETBENCH_EXPERIMENT_SCHEDULE_CHOICE_H_
#define DUETBENCH_EXPERIMENT_SCHEDULE_CHOICE_H_

#include <string>

#include "absl/types/span.h"
#include "duetbench/experiment/options.h"
#include "duetbench/experiment/run_result.h"
#include "duetbench/experiment/schedule.h"

// Which of the schedules with short samples gives the narrowest interval for this benchmark, now:
// short pilot runs of each tell how much their pairs vary, and how many there are.
namespace duetbench {

// A pilot run: the pairs of `result` took `wall_ns`. `waited`: for its CPUs or its partner, so long
// that little was measured.
struct Pilot {
  Schedule schedule = Schedule::kCrossed;
  RunResult result;
  double wall_ns = 0;
  bool waited = false;
};

// The chosen schedule, and the reason.
struct ScheduleChoice {
  Schedule schedule = Schedule::kCrossed;
  std::string reason;  // one line for people
};

// The schedule with the narrowest interval for its wall time, from the spread of the pairs of one
// run (the EWC interval, stats/interval.h). What differs between runs it cannot see. A schedule in
// which slow moments hit one variant (below) is taken only where they do so in all; then one that
// waited only where all did: beside a busy process a CPU that is free is worth more than two, one
// of which is not (six workloads of samples/same, within the same minutes: interleaved on the free
// CPU 0.03 %, crossed 0.16 %). There must be a pilot; the first one's schedule is kept where no
// pilot has enough pairs.
ScheduleChoice ChooseSchedule(absl::Span<const Pilot> pilots, const ExperimentOptions& options,
                              double ns_per_tick);

// new / old: the median of the pairs of a pilot that are not solo. Disturbed ones count, because
// there may be few others. 1 if there are none.
double PilotRatio(const RunResult& pilot);

// True if pauses hit one variant enough that the ratio of total times differs from the typical one
// (stats/total_ratio.h, LieApart). A pause of the machine hits one of two samples in turns, but
// both of two concurrent samples; slow samples that a variant causes appear with either schedule.
bool HitsOneVariant(absl::Span<const RunResult> results, const ExperimentOptions& options,
                    double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_SCHEDULE_CHOICE_H_
