#ifndef DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "duetbench/gates/comparison.h"
#include "duetbench/google_benchmark/duet_instance.h"

// The rows of duets for Google Benchmark's reporters. Pure functions.
namespace duetbench {

// A row as reports show it.
struct ReportRow {
  enum class Kind {
    kPlain,           // printed as Google Benchmark prints it: a benchmark, a variant, an error
    kVerdict,         // the ratio of a duet, its interval and its verdict
    kRatioStatistic,  // a statistic of the ratio over repetitions: the counter "ratio"
  };

  benchmark::BenchmarkReporter::Run run;
  Kind kind = Kind::kPlain;
  std::shared_ptr<const Comparison> comparison;  // of a verdict
};

// The rows of a duet with its arguments, NAME, after its last repetition.
struct InstanceRows {
  // For each repetition: NAME/old and NAME/new with times, counters and label, as if each had been
  // benchmarked alone, and NAME with the ratio: the time of new, the verdict as label, and
  // NumbersOf (report/facts.h). Of a comparison with an error: NAME with the error.
  std::vector<ReportRow> repetitions;
  // For two or more repetitions without error: NAME/old_mean, NAME/new_mean and NAME_mean, the same
  // for the other statistics, then NAME_pooled: the interval and the verdict from the runs of all
  // repetitions. After the last instance of a family with a complexity: FAMILY/old_BigO and
  // FAMILY/new_BigO, then both RMS.
  std::vector<ReportRow> aggregates;
};

// Without complexity. The comparisons are those of the repetitions, in their order.
InstanceRows MakeInstanceRows(const DuetInstance& instance,
                              const std::vector<std::shared_ptr<const Comparison>>& repetitions);

// The fit of one variant's times needs a size of at least 1 in every comparison (SetComplexityN);
// a variant without has no rows.
struct FamilyMember {
  const DuetInstance* instance;
  std::shared_ptr<const Comparison> comparison;
};
// `family`: what was measured of all instances of one spec, those with errors included.
std::vector<ReportRow> MakeComplexityRows(const std::vector<FamilyMember>& family);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_
