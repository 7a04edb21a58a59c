#ifndef DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_

#include <benchmark/benchmark.h>

#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/report/facts.h"

// The rows of duets for Google Benchmark's reporters. Pure functions.
namespace duetbench {

// A row as reports show it: a benchmark, a variant or an error as Google Benchmark prints it, or
// the verdict of a duet.
struct ReportRow {
  benchmark::BenchmarkReporter::Run run;
  const Facts* facts = nullptr;  // of a verdict; they outlive the row
};

// The rows of a duet with its arguments, NAME: NAME/old and NAME/new with
// times, counters and label, as if each had been benchmarked alone, and NAME with the ratio: the
// time of new, the verdict as label, and the numbers of `facts`, which are those of the comparison.
// Of a comparison with an error: NAME with the error.
std::vector<ReportRow> MakeInstanceRows(const DuetInstance& instance, const Comparison& comparison,
                                        const Facts& facts);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_
