#ifndef DUETBENCH_EXPERIMENT_POOL_REPETITIONS_H_
#define DUETBENCH_EXPERIMENT_POOL_REPETITIONS_H_

#include <optional>
#include <vector>

#include "duetbench/experiment/experiment_result.h"

namespace duetbench {

// One estimate of the repetitions of a benchmark: the interval is that of the runs of all of them
// together, times are means. The diagnosis, counters, labels and pairs stay empty. Nothing without
// an interval.
std::optional<Estimate> PoolRepetitions(const std::vector<const Estimate*>& repetitions);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_POOL_REPETITIONS_H_
