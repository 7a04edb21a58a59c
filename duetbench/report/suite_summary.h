#ifndef DUETBENCH_REPORT_SUITE_SUMMARY_H_
#define DUETBENCH_REPORT_SUITE_SUMMARY_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"

namespace duetbench {

// What a suite of several duets comes to; empty for fewer than two ratios. Pure.
//
//   duetbench: 10 duets: 8 FASTER, 1 EQUAL, 1 INCONCLUSIVE; geometric mean 0.55 ×
//     BM_BTreeMap takes 0.42 × the time of BM_StdMap (geometric mean of 5, from 0.32 to 0.80 ×)
//   duetbench: measured longer, what is INCONCLUSIVE would be decided:
//     '--benchmark_filter=^BM_StdMap_vs_BM_BTreeMap/8$' --benchmark_min_time=28
//
// The filter is there where at most three of several are undecided. Verdicts are counted of duets
// without a gate; SuiteHeadline counts the gates. A family of several duets has a line; the mean of
// their ratios is geometric, because that of the inverse ratios is then its inverse. It has no
// interval: that other arguments would give the same is not claimed.
std::vector<std::string> SuiteSummaryLines(absl::Span<const SuiteEntry> suite);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_SUMMARY_H_
