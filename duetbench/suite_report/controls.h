#ifndef DUETBENCH_SUITE_REPORT_CONTROLS_H_
#define DUETBENCH_SUITE_REPORT_CONTROLS_H_

#include <string>
#include <vector>

#include "duetbench/gates/suite.h"

namespace duetbench {

// The known slow-down of a control, 2 %.
inline constexpr double kControlSlowDown = 0.02;

// Comparisons with a known truth that were measured along with a suite.
struct Controls {
  std::vector<SuiteEntry> same;    // variants with themselves: the ratio is 1
  std::vector<SuiteEntry> slower;  // with themselves, 2 % slower
};

// Findings of the controls: how often an interval wrongly excludes 1, and how often the known
// slow-down was found (the interval lies above 1).
struct ControlCounts {
  int same = 0;            // with an estimate, as below
  int quiet = 0;           // of them
  int allowed_alarms = 0;  // more by chance in 0.5 % of cases
  int slower = 0;
  int found = 0;
  int errors = 0;
};
ControlCounts CountControls(const Controls& controls);

// The line at the end of a suite, those that failed by name, and a warning; empty without controls:
//   duetbench: controls: 8 of 8 A/A quiet, 7 of 8 +2 % found
//     BM_A_vs_BM_B +2 %: 0.996 to 1.034 ×
std::vector<std::string> ControlLines(const Controls& controls);

}  // namespace duetbench

#endif  // DUETBENCH_SUITE_REPORT_CONTROLS_H_
