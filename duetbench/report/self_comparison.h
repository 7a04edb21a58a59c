#ifndef DUETBENCH_REPORT_SELF_COMPARISON_H_
#define DUETBENCH_REPORT_SELF_COMPARISON_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"
#include "duetbench/platform/cpu_pair.h"

namespace duetbench {

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

#endif  // DUETBENCH_REPORT_SELF_COMPARISON_H_
