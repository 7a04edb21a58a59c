#ifndef DUETBENCH_REPORT_ROWS_H_
#define DUETBENCH_REPORT_ROWS_H_

#include <benchmark/benchmark.h>

#include <map>
#include <string>

#include "duetbench/runner/comparison.h"

namespace duetbench {

// The numbers of a comparison by the names that reports give them: ratio, ratio_lo, ratio_hi,
// ratio_level, runs, pairs, pairs_dropped, pairing_gain, skew_ns, and those of its events
// (CounterKeys); of a gate also gate (1 PASS, 0 INCONCLUSIVE, -1 FAIL), gate_p, gate_looks and
// gate_seconds. Values that are not finite are left out. None of a dry run.
std::map<std::string, double> ComparisonCounters(const Comparison& comparison);

// Makes the row of a duet one of its variant, by name.
void NameVariant(benchmark::BenchmarkReporter::Run& row, int variant);

// The rows of a duet in place of the one row that Google Benchmark made: NAME/old and NAME/new with
// their times and counters, as if each had been benchmarked alone, and NAME with the ratio: time of
// new, the verdict as label, and ComparisonCounters. Of a dry run the label says that it was one.
struct DuetRows {
  benchmark::BenchmarkReporter::Run variants[2];
  benchmark::BenchmarkReporter::Run comparison;
};
DuetRows MakeDuetRows(const benchmark::BenchmarkReporter::Run& row, const Comparison& comparison);

// The row of a comparison that has an error, or whose variants did not want to be measured.
benchmark::BenchmarkReporter::Run MakeErrorRow(const benchmark::BenchmarkReporter::Run& row,
                                               const Comparison& comparison);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_ROWS_H_
