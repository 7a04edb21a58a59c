#ifndef DUETBENCH_REPORT_CALIBRATION_H_
#define DUETBENCH_REPORT_CALIBRATION_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/report/suite.h"

namespace duetbench {

// What a duet finds with the runs it had, judged by their spread.
struct Calibration {
  double spread = 0;      // standard deviation of the runs' ln(new/old)
  double detectable = 0;  // slow-down found with 95 % power at the interval's level: 0.004 = 0.4 %
  double surely = 0;      // the same for the spread at its 90 % upper limit
  // For a wished slow-down; runs of the same length:
  int runs = 0;         // 0: nothing is wished, or a million runs would not do
  double seconds = 0;   // that so many take, starts of processes included
  double min_time = 0;  // and their measuring time, for --benchmark_min_time
};

// `detect` is the wished slow-down, 0.01 for 1 %, or 0. All zero without an estimate from two runs
// or more. The power is that of the t interval, as planning.h has it: for a single look at the end.
Calibration Calibrate(const Comparison& comparison, double detect);

// A line for each duet:
//   BM_Parse/1024: 40 runs in 1.2 s find a slow-down of 0.40 % (at most 0.47 %); to find 0.1 %: 640
//   runs, 19 s, --duet_runs=640 --benchmark_min_time=16
std::vector<std::string> CalibrationLines(absl::Span<const SuiteEntry> suite, double detect);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_CALIBRATION_H_
