#ifndef DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
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

// Collects the comparisons of all instances, in whatever order they are measured, and makes the
// rows of an instance when it is complete.
class DuetRowCollector {
 public:
  // The instances outlive the collector.
  explicit DuetRowCollector(const std::vector<DuetInstance>& instances);

  // Adds the comparison of the next repetition of instances[index]; one with an error counts too.
  // Returns rows after the last repetition. The pairs are not kept: those of a long suite would
  // fill the memory.
  std::optional<InstanceRows> Add(size_t index, Comparison comparison);

 private:
  const std::vector<DuetInstance>& instances_;
  std::vector<std::vector<std::shared_ptr<const Comparison>>> comparisons_;  // by instance
  std::map<int, std::vector<FamilyMember>> families_;  // of those with a complexity
  std::map<int, int> repetitions_left_;                // by family
};

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_
