#ifndef DUETBENCH_GTEST_COMPARE_OPTIONS_H_
#define DUETBENCH_GTEST_COMPARE_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "duetbench/runner/plan.h"

namespace duetbench {

// How one comparison differs from what the flags and the environment say (--duet_*, DUET_*,
// BENCHMARK_MIN_TIME), for chaining:
//
//   Compare(Old, New, CompareOptions().MinTime(2).Fill())
//
// Values that make no sense fail the test that they are used in.
struct CompareOptions {
  std::optional<int> runs;         // processes; 1: in this very process
  std::optional<double> min_time;  // seconds of measuring, over all runs
  std::optional<double> max_time;  // seconds that a gate may take that is not decided
  std::optional<double> level;     // of the interval, such as 0.99
  std::optional<double> margin;    // a difference that counts as none, such as 0.01
  std::optional<bool> fill;        // the side that is done keeps the machine busy
  std::optional<Schedule> schedule;
  std::vector<int64_t> ranges;  // State::range

  CompareOptions& Runs(int value);
  CompareOptions& MinTime(double seconds);
  CompareOptions& MaxTime(double seconds);
  CompareOptions& Level(double value);
  CompareOptions& Margin(double value);
  CompareOptions& Fill(bool value = true);
  CompareOptions& InTurns();  // on one CPU in random ABBA order instead of at the same time
  CompareOptions& Args(std::vector<int64_t> values);
};

}  // namespace duetbench

#endif  // DUETBENCH_GTEST_COMPARE_OPTIONS_H_
