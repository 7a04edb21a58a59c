#ifndef DUETBENCH_TESTS_DECIDE_ESTIMATE_OF_H_
#define DUETBENCH_TESTS_DECIDE_ESTIMATE_OF_H_

#include <utility>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "gtest/gtest.h"

namespace duetbench {

// The estimate of `runs`, whose ticks last 1 ns; a failure of the test if there is none.
inline Estimate EstimateOf(std::vector<RunResult> runs, const ExperimentOptions& options = {}) {
  const Comparison result = Summarize(std::move(runs), options, /*ns_per_tick=*/1);
  EXPECT_NE(result.estimate(), nullptr);
  return result.estimate() != nullptr ? *result.estimate() : Estimate();
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_DECIDE_ESTIMATE_OF_H_
