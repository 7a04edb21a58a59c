#ifndef DUETBENCH_ESTIMATE_POOL_REPETITIONS_H_
#define DUETBENCH_ESTIMATE_POOL_REPETITIONS_H_

#include <optional>
#include <vector>

#include "duetbench/estimate/experiment_result.h"

namespace duetbench {

// One estimate of the repetitions of a benchmark: the decision (decision/decision.h) about the runs
// of all of them. Settings are those of the last repetition, times are means, counts are sums. The
// diagnosis, counters, quantiles, labels, pairs and the account of time stay empty. Nothing without
// an interval. `of_group`: the intervals hold together with those of the other rows of a group,
// with the smallest share that a repetition has.
std::optional<Estimate> PoolRepetitions(const std::vector<const Estimate*>& repetitions,
                                        bool of_group = false);

}  // namespace duetbench

#endif  // DUETBENCH_ESTIMATE_POOL_REPETITIONS_H_
