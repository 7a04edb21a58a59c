#ifndef DUETBENCH_REPORT_SELF_COMPARISON_H_
#define DUETBENCH_REPORT_SELF_COMPARISON_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/report/suite.h"

namespace duetbench {

// What comparisons of variants with themselves show, whose ratio is 1 whatever the variant does.
struct SelfComparisons {
  int comparisons = 0;           // with an estimate
  int errors = 0;                // without
  int false_alarms = 0;          // intervals that exclude 1
  int allowed = 0;               // of these, by chance: more in 0.5 % of cases
  int false_verdicts = 0;        // SLOWER or FASTER: also beyond the margin
  double median_half_width = 0;  // of the intervals, 0.002 for 0.2 %
  // What one CPU costs over the other, or the second place in a pair when interleaved. It cancels
  // within a run, which is why it is shown, not why it matters.
  double median_side_bias = 0;  // 0.006 for 0.6 %; absolute values
  double largest_side_bias = 0;
  int side_biases = 0;  // comparisons where it is more than chance
  // Mean ln of the ratio over all of them: what it costs to be the one called new.
  double role_bias = 0;
};
SelfComparisons SummarizeSelfComparisons(absl::Span<const SuiteEntry> suite);

// A line for each comparison, and what they show together. The name of an entry says which variant
// it is of.
std::vector<std::string> SelfComparisonLines(absl::Span<const SuiteEntry> suite,
                                             const CpuPairChoice& cpus);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SELF_COMPARISON_H_
