#ifndef DUETBENCH_GOOGLE_BENCHMARK_SIDE_BENCHMARK_H_
#define DUETBENCH_GOOGLE_BENCHMARK_SIDE_BENCHMARK_H_

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "duetbench/api/duet_benchmark.h"
#include "duetbench/variant/variant.h"

namespace duetbench {

// DUET_BENCHMARK(f): one variant as an ordinary benchmark of Google Benchmark. A comparison of two
// programs takes the variant out of it (registered_benchmarks.h).
class SideBenchmark : public internal::BenchmarkBase {
 public:
  SideBenchmark(const std::string& name, std::shared_ptr<const Variant> variant, Location location);
  ~SideBenchmark() override;

  // Google Benchmark calls this in every batch, as it calls a function of its own State.
  void Run(benchmark::State& state) override;

  const std::shared_ptr<const Variant>& variant() const { return variant_; }
  const Location& location() const { return location_; }

 private:
  const std::shared_ptr<const Variant> variant_;
  const Location location_;
};

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_SIDE_BENCHMARK_H_
