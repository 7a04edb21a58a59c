#ifndef DUETBENCH_GOOGLE_BENCHMARK_DISTINCT_NAMES_H_
#define DUETBENCH_GOOGLE_BENCHMARK_DISTINCT_NAMES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "duetbench/api/duet_spec.h"

namespace duetbench {

// Results are told apart by their names alone: by ctest, JUnit, Bencher, duet_stat and whoever
// compares two reports. InvalidArgument, with both places, where two rows of a report would have
// one name: two duets of the same name, the duet "A/old" beside the duet "A" (which has a row of
// that name), or a duet and one of the `ordinary` benchmarks. Ordinary benchmarks among each other
// may have one name, as Google Benchmark allows it. Names that begin with "DISABLED_" do not count.
absl::Status CheckDistinctNames(const std::vector<const DuetSpec*>& specs,
                                const std::vector<std::string>& ordinary);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_DISTINCT_NAMES_H_
