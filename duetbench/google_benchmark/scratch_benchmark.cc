// DuetBenchmark::Apply with a function that takes Google Benchmark's own type. The function is
// called with a benchmark that is never registered, and what it set there is copied to the duet.
#include <string>
#include <vector>

#include "duetbench/api/duet_benchmark.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/google_benchmark/benchmark_settings.h"
#include "duetbench/google_benchmark/versions.h"

namespace duetbench {
namespace {

class ScratchBenchmark : public internal::BenchmarkBase {
 public:
  explicit ScratchBenchmark(const std::string& name) : internal::BenchmarkBase(name.c_str()) {}
  void Run(benchmark::State&) override {}
};

}  // namespace

DuetBenchmark* DuetBenchmark::ApplyToBase(void (*call)(internal::BenchmarkBase*, const void*),
                                          const void* function) {
  ScratchBenchmark scratch(spec_.name);
  scratch.RangeMultiplier(spec_.range_multiplier);
  const size_t own_statistics = CountStatistics(scratch);  // of every benchmark
  call(&scratch, function);

  CopySettings(scratch, own_statistics, this);
  if (!ThreadCountsOf(scratch).empty()) {
    spec_.error = "a duet has one thread for each variant: remove Threads from it";
  }
  return this;
}

}  // namespace duetbench
