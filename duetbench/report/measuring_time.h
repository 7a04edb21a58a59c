#ifndef DUETBENCH_REPORT_MEASURING_TIME_H_
#define DUETBENCH_REPORT_MEASURING_TIME_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/gates/comparison.h"
#include "duetbench/gates/suite.h"

namespace duetbench {

// The time that would decide an undecided comparison. The width of an interval shrinks with the
// square root of the time, so that the time needed follows from the width that was reached and the
// one that is needed: that of an interval around the same ratio which lies on one side of 1 or
// within the margin (with a gate: on one side of the limit). Where the pairs of the runs spread
// more than the runs do, longer runs suffice, and no more set-ups. Pure.
//
// Wall time in seconds of an experiment that decides it in about four of five cases. Nothing if it
// is decided, if more time would not help (too many pairs were disturbed, the work was removed), or
// if it is not known: fewer than two runs, an unbounded interval, several link layouts. Infinite if
// the ratio lies on the limit.
std::optional<double> SecondsToDecide(const Comparison& comparison);

// "about 28 s would decide", "about 4 min would decide", "more than a day would decide"; empty
// without SecondsToDecide. With too few slow calls, which leave that unknown: "measure longer:
// total 1.2 ×, of too few slow calls".
std::string DecisionTimeText(const Comparison& comparison);

// The flag with which it is measured for so long, rounded up: "--benchmark_min_time=28", where
// a gate is measured until it is decided "--duet_max_time=28". Empty without SecondsToDecide, for
// more than a day, and within the budget of a suite.
std::string DecisionFlag(const Comparison& comparison);

// The differences that a duet detects with its runs, by their spread.
struct Calibration {
  double spread = 0;      // standard deviation of the runs' ln(new/old)
  double detectable = 0;  // slow-down found with 95 % power at the interval's level: 0.004 = 0.4 %
  double surely = 0;      // the same for the spread at its 90 % upper limit
  // To detect a given slow-down with runs of the same length:
  int runs = 0;         // 0: none is given, or a million runs are not enough
  double seconds = 0;   // that these runs take, starts of processes included
  double min_time = 0;  // and their measuring time, for --benchmark_min_time
};

// `detect` is the given slow-down, 0.01 for 1 %, or 0. All zero with fewer than two runs. The power
// is that of the t interval of a single analysis at the end (planning.h). `wall_s` is the time that
// all processes took.
Calibration Calibrate(const Estimate& estimate, double wall_s, double detect);

// A line for each duet:
//   BM_Parse/1024: 40 runs in 1.2 s find a slow-down of 0.40 % (at most 0.47 %); to find 0.1 %: 640
//   runs, 19 s, --duet_runs=640 --benchmark_min_time=16
std::vector<std::string> CalibrationLines(absl::Span<const SuiteEntry> suite, double detect);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_MEASURING_TIME_H_
