#ifndef DUETBENCH_SUITE_REPORT_RANKING_RANGE_H_
#define DUETBENCH_SUITE_REPORT_RANKING_RANGE_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"
#include "duetbench/stats/fastest_range.h"

namespace duetbench {

// Those of the groups that have rankings at two sizes or more. Names of benchmarks that differ in
// one positive whole number between slashes, or NAME:NUMBER, are one group over that argument.
std::vector<stats::FastestRange> RangesOf(absl::Span<const SuiteEntry> suite);

// "map_vs_… over n: fastest is sorted from 8 to 64; then flat from 512 to 4096, crossing at 130,
// [110, 160]".
std::string RangeSentence(const stats::FastestRange& range);

}  // namespace duetbench

#endif  // DUETBENCH_SUITE_REPORT_RANKING_RANGE_H_
