#ifndef DUETBENCH_GOOGLE_BENCHMARK_DUET_INSTANCE_H_
#define DUETBENCH_GOOGLE_BENCHMARK_DUET_INSTANCE_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "duetbench/api/duet_spec.h"
#include "duetbench/google_benchmark/name_filter.h"

namespace duetbench {

// A duet with one list of arguments: what is measured and reported as one benchmark.
struct DuetInstance {
  const DuetSpec* spec = nullptr;
  int family = 0;    // of the spec, among those that have a selected instance
  int instance = 0;  // within its family
  std::vector<int64_t> ranges;
  // As Google Benchmark composes it: "BM_Map/n:8/min_time:0.500/repeats:3/manual_time".
  benchmark::BenchmarkName name;
  int repetitions = 1;
};

// The instances of `specs` that `filter` selects, in their order. Families and instances are
// numbered as Google Benchmark numbers its own: without those that are not selected. A spec that
// has no repetitions of its own gets `default_repetitions`. The specs outlive the instances.
std::vector<DuetInstance> SelectDuets(const std::vector<const DuetSpec*>& specs,
                                      const NameFilter& filter, int default_repetitions);

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_DUET_INSTANCE_H_
