#ifndef DUETBENCH_RUNNER_SUITE_BUDGET_H_
#define DUETBENCH_RUNNER_SUITE_BUDGET_H_

#include <vector>

#include "absl/types/span.h"
#include "duetbench/gates/comparison.h"

// Where the time of --duet_budget goes. Pure.
namespace duetbench {

// The weight with which the next run is that of each experiment; with all zero, none has time left.
//
// As long as an experiment lacks its first runs, only such ones have runs. Then the time goes to
// the experiments that it can decide: those that need least first, until their needs fill
// `seconds_left`. Each of them has a weight in proportion to the runs that it needs to end. An
// experiment that would already be decided by a final analysis goes on like the others, since
// ending there would be a choice by its result; so does each experiment if the time decides none of
// them. A run that would not end in time has no weight.
std::vector<double> BudgetWeights(absl::Span<const Prospect> prospects, double seconds_left);

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_SUITE_BUDGET_H_
