#ifndef DUETBENCH_REPORT_ROWS_H_
#define DUETBENCH_REPORT_ROWS_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "duetbench/runner/comparison.h"

namespace duetbench {

// The counter by which a row of Google Benchmark names the comparison behind it. It never reaches a
// report.
inline constexpr char kComparisonKey[] = "duet_comparison";

// The comparison with a number; null if there is none.
using FindComparison = std::function<const Comparison*(int64_t)>;

// The comparison that a row stands for; null for the rows of ordinary benchmarks, for errors and
// for aggregates.
const Comparison* ComparisonOf(const benchmark::BenchmarkReporter::Run& run,
                               const FindComparison& find);

// The numbers of a comparison by the names that reports give them: ratio, ratio_lo, ratio_hi,
// ratio_level, runs, pairs, pairs_dropped, pairing_gain, skew_ns. Values that are not finite are
// left out. None of a dry run.
std::map<std::string, double> ComparisonCounters(const Comparison& comparison);

// The rows of a duet in place of the one row that Google Benchmark made: NAME/old and NAME/new with
// their times and counters, as if each had been benchmarked alone, and NAME with the ratio: time of
// new, the verdict as label, and ComparisonCounters. Of a dry run the label says that it was one.
struct DuetRows {
  benchmark::BenchmarkReporter::Run variants[2];
  benchmark::BenchmarkReporter::Run comparison;
};
DuetRows MakeDuetRows(const benchmark::BenchmarkReporter::Run& row, const Comparison& comparison);

// The row of a comparison that has an error.
benchmark::BenchmarkReporter::Run MakeErrorRow(const benchmark::BenchmarkReporter::Run& row,
                                               const Comparison& comparison);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_ROWS_H_
