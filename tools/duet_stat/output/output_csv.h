#ifndef DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUT_CSV_H_
#define DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUT_CSV_H_

#include <string>
#include <vector>

#include "tools/duet_stat/analysis.h"
#include "tools/duet_stat/comparison.h"

namespace duetbench::duet_stat {

// The results as CSV (RFC 4180), a line for each interval and each rule:
//   benchmark,runs,pairs,dropped,kind,method,level,estimator,ratio,lo,hi,verdict,p,effect,message
// kind is 'interval' or 'rule'; of an interval that cannot be given and of a benchmark without
// result ('error') there is only the message, which otherwise is the warning of the interval. An
// unbounded end is 'inf' or '0'. Cells that do not apply are empty. Where the ratio of total times
// decides by itself, it is an interval with the method 'total', and its verdict is that of the
// benchmark.
std::string CsvText(const std::vector<BenchmarkResult>& results);

// Kind 'means' is the standard method: ratio, lo and hi are then differences of the means as
// fractions of the mean, 0 for none. Kind 'mds' (with --mds): effect is the smallest
// slow-down found.
//
// The same columns for unpaired times; runs and pairs are empty. With several files to compare the
// name of the file follows that of the benchmark, in parentheses.
std::string CsvText(const UnpairedResult& result);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_OUTPUT_OUTPUT_CSV_H_
