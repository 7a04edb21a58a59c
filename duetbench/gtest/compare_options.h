#ifndef DUETBENCH_GTEST_COMPARE_OPTIONS_H_
#define DUETBENCH_GTEST_COMPARE_OPTIONS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "duetbench/record/options.h"

namespace duetbench {

// Options of one comparison, which take precedence over the flags and the environment (--duet_*,
// DUET_*, BENCHMARK_MIN_TIME), for chaining:
//
//   Compare(Old, New, CompareOptions().MinTime(2).Fill())
//
// A value that makes no sense fails the test that it is used in.
struct CompareOptions : ExperimentOptions {
  std::vector<int64_t> ranges;  // State::range

  CompareOptions& Runs(int value) { return Set(&runs, value); }
  CompareOptions& MinTime(double seconds) { return Set(&min_time, seconds); }
  CompareOptions& MaxTime(double seconds) { return Set(&max_time, seconds); }
  CompareOptions& Level(double value) { return Set(&level, value); }
  CompareOptions& Margin(double value) { return Set(&margin, value); }
  CompareOptions& Fill(bool value = true) { return Set(&fill, value); }
  // On one CPU in random ABBA order instead of at the same time.
  CompareOptions& InTurns() { return Set(&schedule, Schedule::kInterleaved); }
  CompareOptions& Args(std::vector<int64_t> values) { return Set(&ranges, std::move(values)); }

 private:
  template <class Option, class Value>
  CompareOptions& Set(Option* option, Value value) {
    *option = std::move(value);
    return *this;
  }
};

}  // namespace duetbench

#endif  // DUETBENCH_GTEST_COMPARE_OPTIONS_H_
