#ifndef DUETBENCH_MAIN_DEMANDS_H_
#define DUETBENCH_MAIN_DEMANDS_H_

#include "duetbench/api/duet_spec.h"
#include "duetbench/gates/comparison.h"

namespace duetbench {

// What was demanded of a duet and could not be measured makes its comparison an error that says
// why: a gate on a counter that no run has counted, a gate on a quantile of calls that are too
// short to be timed one by one, a complexity without sizes.
void CheckDemands(const DuetSpec& spec, Comparison* comparison);

}  // namespace duetbench

#endif  // DUETBENCH_MAIN_DEMANDS_H_
