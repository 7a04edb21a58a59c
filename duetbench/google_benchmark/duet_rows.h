#ifndef DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/google_benchmark/complexity.h"
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

// The rows of a duet with its arguments, NAME, without complexity: NAME/old and NAME/new with
// times, counters and label, as if each had been benchmarked alone, and NAME with the ratio: the
// time of new, the verdict as label, and the numbers of `facts`, which are those of the comparison.
// Of a comparison with an error: NAME with the error.
std::vector<ReportRow> MakeInstanceRows(const DuetInstance& instance, const Comparison& comparison,
                                        const Facts& facts);

// Makes the rows of all instances, in whatever order they are measured.
class DuetRowCollector {
 public:
  // The instances outlive the collector.
  explicit DuetRowCollector(const std::vector<DuetInstance>& instances);

  // The rows of instances[index], which has this result; after the last instance of a family with a
  // complexity also FAMILY/old_BigO and FAMILY/new_BigO, then both RMS. The fit of a variant needs
  // a size of at least 1 in every comparison (SetComplexityN) that has not failed, else it has no
  // rows.
  std::vector<ReportRow> Add(size_t index, const Comparison& comparison, const Facts& facts);

 private:
  struct Family {
    int left = 0;  // instances that have no result yet
    std::vector<ComplexityPoint> points[2];
  };

  const std::vector<DuetInstance>& instances_;
  std::map<int, Family> families_;
};

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_
