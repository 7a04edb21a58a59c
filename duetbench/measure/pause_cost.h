#ifndef DUETBENCH_MEASURE_PAUSE_COST_H_
#define DUETBENCH_MEASURE_PAUSE_COST_H_

#include <cstdint>

namespace duetbench {

// By how many ticks a pair of PauseTiming and ResumeTiming lengthens the timed region, which
// depends on the work before it: the median of several kinds of work, measured on the calling
// thread. Takes 0.4 ms.
uint64_t MeasurePauseTicks(double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_PAUSE_COST_H_
