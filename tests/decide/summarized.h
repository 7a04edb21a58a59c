#ifndef DUETBENCH_TESTS_DECIDE_SUMMARIZED_H_
#define DUETBENCH_TESTS_DECIDE_SUMMARIZED_H_

#include <utility>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "gtest/gtest.h"

namespace duetbench {

// The result of `runs`, whose ticks last 1 ns; a failure of the test if it has no ratio.
inline Comparison Summarized(std::vector<RunResult> runs, const ExperimentOptions& options = {}) {
  Comparison result = Summarize(std::move(runs), options, /*ns_per_tick=*/1);
  EXPECT_TRUE(result.has_ratio());
  return result;
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_DECIDE_SUMMARIZED_H_
