#ifndef DUETBENCH_REPORT_CALIBRATION_H_
#define DUETBENCH_REPORT_CALIBRATION_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"

namespace duetbench {

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

#endif  // DUETBENCH_REPORT_CALIBRATION_H_
