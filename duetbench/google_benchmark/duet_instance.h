#ifndef DUETBENCH_GOOGLE_BENCHMARK_DUET_INSTANCE_H_
#define DUETBENCH_GOOGLE_BENCHMARK_DUET_INSTANCE_H_

#include <benchmark/benchmark.h>
#include <regex.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "duetbench/api/duet_spec.h"

namespace duetbench {

// --benchmark_filter as Google Benchmark reads it: an extended regular expression that is searched
// for in the whole name of a benchmark; with a leading '-' it selects the others. "" and "all"
// select every benchmark. Names that begin with "DISABLED_" are never selected.
class NameFilter {
 public:
  // InvalidArgument for what is no regular expression.
  static absl::StatusOr<NameFilter> Parse(const std::string& text);

  bool Selects(const std::string& name) const;

 private:
  NameFilter() = default;

  std::shared_ptr<regex_t> regex_;
  bool negated_ = false;
};

// A duet with one list of arguments: what is measured and reported as one benchmark.
struct DuetInstance {
  const DuetSpec* spec = nullptr;
  int family = 0;    // of the spec, among those that have a selected instance
  int instance = 0;  // within its family
  std::vector<int64_t> ranges;
  // As Google Benchmark composes it: "BM_Map/n:8/min_time:0.500/repeats:3/manual_time".
  benchmark::BenchmarkName name;
};

// The instances of `specs` that `filter` selects, in their order. Families and instances are
// numbered as Google Benchmark numbers its own: without those that are not selected. The specs
// outlive the instances.
std::vector<DuetInstance> SelectDuets(const std::vector<const DuetSpec*>& specs,
                                      const NameFilter& filter);

// For a filter that selects nothing, the one that was probably meant, if it selects one of `specs`;
// else empty. A filter that was copied from a row of a variant, "X/new" or "X/old": "; a duet is
// selected as a whole: --benchmark_filter='^X$'". The name "X$" of a group: "; the rows of a group
// are X/BASE_vs_VARIANT: --benchmark_filter='^X/'".
std::string HintForRowName(const std::string& filter, const std::vector<const DuetSpec*>& specs);

// Results are told apart by their names alone: by ctest, JUnit, Bencher, duet_stat and whoever
// compares two reports. InvalidArgument, with both places, where two rows of a report would have
// one name: two duets of the same name, the duet "A/old" beside the duet "A" (which has a row of
// that name), or a duet and one of the `ordinary` benchmarks. Ordinary benchmarks among each other
// may have one name, as Google Benchmark allows it. Names that begin with "DISABLED_" do not count.
absl::Status CheckDistinctNames(const std::vector<const DuetSpec*>& specs,
                                const std::vector<std::string>& ordinary);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_DUET_INSTANCE_H_
