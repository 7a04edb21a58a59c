#ifndef DUETBENCH_REPORT_RANKING_RANGE_H_
#define DUETBENCH_REPORT_RANKING_RANGE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"
#include "duetbench/stats/crossing.h"

namespace duetbench {

// Consecutive sizes at which one variant of a group is the fastest, or ties with the fastest.
struct FastestStretch {
  std::string variant;
  double from = 0;  // the first of the measured sizes, and the last one
  double to = 0;
  // Between its time and that of the variant of the stretch before; none: it is not known.
  std::optional<stats::Crossing> crossing;
};

// The rankings of a group over one of its arguments.
struct RankingRange {
  std::string title;     // "Find/map_vs_…/4": the argument that varies is left out
  std::string argument;  // its name, "n" if it has none
  std::vector<FastestStretch> stretches;  // ascending
};

// Those of the groups that have rankings at two sizes or more. Names of benchmarks that differ in
// one positive whole number between slashes, or NAME:NUMBER, are one group over that argument.
std::vector<RankingRange> RangesOf(absl::Span<const SuiteEntry> suite);

// "map_vs_… over n: fastest is sorted from 8 to 64; then flat from 512 to 4096, crossing at 130,
// [110, 160]".
std::string RangeSentence(const RankingRange& range);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_RANKING_RANGE_H_
