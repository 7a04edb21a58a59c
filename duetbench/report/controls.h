#ifndef DUETBENCH_REPORT_CONTROLS_H_
#define DUETBENCH_REPORT_CONTROLS_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"
#include "duetbench/platform/cpu_pair.h"

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

// Comparisons of variants with themselves (A/A). Their true ratio is 1.
struct SelfComparisons {
  int comparisons = 0;           // with an estimate
  int errors = 0;                // without
  int false_alarms = 0;          // intervals that exclude 1
  int allowed = 0;               // of these, by chance: more in 0.5 % of cases
  int false_verdicts = 0;        // SLOWER or FASTER: also beyond the margin
  double median_half_width = 0;  // of the intervals, 0.002 for 0.2 %
  // Difference between the two CPUs or, when interleaved, between the places in a pair. It cancels
  // within a run and does not affect the ratio.
  double median_side_bias = 0;  // 0.006 for 0.6 %; absolute values
  double largest_side_bias = 0;
  int side_biases = 0;  // comparisons where it is more than chance
  // Mean ln of the ratio over all of them: the bias of the role 'new'.
  double role_bias = 0;
};
SelfComparisons SummarizeSelfComparisons(absl::Span<const SuiteEntry> suite);

// A line for each comparison, and what they show together. The name of an entry says which variant
// it is of.
std::vector<std::string> SelfComparisonLines(absl::Span<const SuiteEntry> suite,
                                             const CpuPairChoice& cpus);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_CONTROLS_H_
