#ifndef DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_
#define DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/google_benchmark/duet_instance.h"

// The rows of duets for Google Benchmark's reporters. Pure functions.
namespace duetbench {

// A row as reports show it.
struct ReportRow {
  enum class Kind {
    kPlain,    // printed as Google Benchmark prints it: a benchmark, a variant, an error
    kVerdict,  // the ratio of a duet, its interval and its verdict
  };

  benchmark::BenchmarkReporter::Run run;
  Kind kind = Kind::kPlain;
  std::shared_ptr<const Comparison> comparison;  // of a verdict
};

// The rows of a duet with its arguments, NAME, without complexity: NAME/old and NAME/new with
// times, counters and label, as if each had been benchmarked alone, and NAME with the ratio: the
// time of new, the verdict as label, and NumbersOf (report/facts.h). Of a comparison with an error:
// NAME with the error.
std::vector<ReportRow> MakeInstanceRows(const DuetInstance& instance,
                                        std::shared_ptr<const Comparison> comparison);

// The fit of one variant's times needs a size of at least 1 in every comparison (SetComplexityN);
// a variant without has no rows.
struct FamilyMember {
  const DuetInstance* instance;
  std::shared_ptr<const Comparison> comparison;
};
// `family`: what was measured of all instances of one spec, those with errors included.
std::vector<ReportRow> MakeComplexityRows(const std::vector<FamilyMember>& family);

// Makes the rows of all instances, in whatever order they are measured.
class DuetRowCollector {
 public:
  // The instances outlive the collector.
  explicit DuetRowCollector(const std::vector<DuetInstance>& instances);

  // The rows of instances[index], which has this result; after the last instance of a family with a
  // complexity also FAMILY/old_BigO and FAMILY/new_BigO, then both RMS. The pairs are not kept:
  // those of a long suite would fill the memory.
  std::vector<ReportRow> Add(size_t index, Comparison comparison);

 private:
  const std::vector<DuetInstance>& instances_;
  std::map<int, std::vector<FamilyMember>> families_;  // of those with a complexity
  std::map<int, int> instances_left_;                  // by family
};

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_DUET_ROWS_H_
