#ifndef DUETBENCH_EXPERIMENT_PILOT_RULES_H_
#define DUETBENCH_EXPERIMENT_PILOT_RULES_H_

#include "duetbench/experiment/policy.h"

// The rules for the runs before those that measure: a calibration, and, where the schedule may be
// chosen, short runs whose intervals are compared (schedule_choice.h). They also tell what a run
// costs, whether the variants start threads, and whether they disturb each other so much that no
// statistics are needed; then runs that would be given up are saved. Together they take a tenth of
// the time.
namespace duetbench {

// The next of these runs, by the one before it:
//
//   none                    the calibration. A single run calibrates itself, unless its number of
//                           iterations is fixed
//   any                     the variants start threads: a calibration on all CPUs, and no pilot
//   calibration             none, where the schedule is not to be chosen; a pilot as a duet, where
//                           set-ups are expensive (none, if it would be too); none, where a sample
//                           is longer than a pilot; else one in turns
//   pilot in turns, duet    a second one, if the variants seem to disturb each other
//
// The last one decides the schedule. False: there is none, and the course is that of the runs that
// measure.
bool NextPilot(const Evidence& evidence, const Setting& setting, Step* step);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_PILOT_RULES_H_
