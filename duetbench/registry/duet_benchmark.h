#ifndef DUETBENCH_REGISTRY_DUET_BENCHMARK_H_
#define DUETBENCH_REGISTRY_DUET_BENCHMARK_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/report/google_benchmark.h"
#include "duetbench/runner/duet_run.h"
#include "duetbench/runner/options.h"
#include "duetbench/runner/variant.h"

namespace duetbench {

// A registered duet: what DUET_BENCHMARK and RegisterDuet give, for chaining. It is a benchmark of
// Google Benchmark's registry like any other, so filters, arguments and reporters work on it; the
// chain methods of the library return this type again, so that they mix with the duet's own in any
// order:
//
//   DUET_BENCHMARK(BM_StdMap, BM_BTreeMap)->Range(64, 64 << 10)->Runs(20)->Unit(…);
class DuetBenchmark : public internal::BenchmarkBase {
 public:
  DuetBenchmark(const std::string& name, DuetFunctions functions);
  ~DuetBenchmark() override;

  // As registered, without arguments.
  const std::string& family_name() const { return name_; }
  // What the flags say, and the chain over them.
  ExperimentOptions Options() const;
  // How often it is measured.
  int repetitions() const;

  // --- Of the duet ---

  // Processes to measure in (--duet_runs).
  DuetBenchmark* Runs(int runs);
  // Level of the interval, 0 < level < 1 (--duet_level).
  DuetBenchmark* Level(double level);
  // Difference that counts as none (--duet_margin).
  DuetBenchmark* Margin(double margin);
  // The side that is done keeps the machine busy until its partner is done (--duet_fill).
  DuetBenchmark* Fill(bool fill = true);
  // At the same time or in turns (--duet_schedule).
  DuetBenchmark* Schedule(duetbench::Schedule schedule);

  // --- Of the library; see benchmark/benchmark.h ---

  DuetBenchmark* Name(const std::string& name);
  DuetBenchmark* Arg(int64_t x);
  DuetBenchmark* Args(const std::vector<int64_t>& args);
  DuetBenchmark* ArgPair(int64_t x, int64_t y);
  DuetBenchmark* Range(int64_t start, int64_t limit);
  DuetBenchmark* DenseRange(int64_t start, int64_t limit, int step = 1);
  DuetBenchmark* Ranges(const std::vector<std::pair<int64_t, int64_t>>& ranges);
  DuetBenchmark* ArgsProduct(const std::vector<std::vector<int64_t>>& arglists);
  DuetBenchmark* RangeMultiplier(int multiplier);
  DuetBenchmark* ArgName(const std::string& name);
  DuetBenchmark* ArgNames(const std::vector<std::string>& names);
  DuetBenchmark* Apply(void (*function)(internal::BenchmarkBase*));
  DuetBenchmark* Unit(benchmark::TimeUnit unit);
  DuetBenchmark* MinTime(double seconds);
  DuetBenchmark* Repetitions(int repetitions);

  // Called by the library; measures, and hands over a comparison for the reporters.
  void Run(benchmark::State& state) override;

 private:
  using Base = internal::BenchmarkBase;

  const DuetFunctions functions_;
  const int family_;
  std::string name_;  // the base class keeps its own to itself
  std::map<std::vector<int64_t>, int> repetitions_done_;

  // What the chain set; the rest is as the flags say.
  int runs_ = 0;
  int repetitions_ = 0;
  double level_ = 0;
  double margin_ = -1;
  double min_time_ = 0;
  bool fill_ = false;
  bool has_schedule_ = false;
  duetbench::Schedule schedule_ = duetbench::Schedule::kDuet;
};

namespace internal {

DuetBenchmark* RegisterFunctions(const std::string& name,
                                 std::shared_ptr<const Variant> old_variant,
                                 std::shared_ptr<const Variant> new_variant);

// Lets a function template (or an overloaded function) be named where a variant is wanted: the
// instance that takes a State is meant.
using StateFunction = void(State&);

}  // namespace internal

// Registers the comparison of two variants under `name` and returns it for chaining. A variant is
// callable with duetbench::State& (and has its own loop), or with nothing (and is looped, its
// result kept alive). Call it before RunSpecifiedBenchmarks, in every process in the same order.
//
//   duetbench::RegisterDuet("sum", [&] { return SumOld(data); }, [&] { return SumNew(data); });
template <class Old, class New>
DuetBenchmark* RegisterDuet(const std::string& name, Old old_variant, New new_variant) {
  return internal::RegisterFunctions(name, MakeVariant(std::move(old_variant)),
                                     MakeVariant(std::move(new_variant)));
}
inline DuetBenchmark* RegisterDuet(const std::string& name, internal::StateFunction* old_variant,
                                   internal::StateFunction* new_variant) {
  return internal::RegisterFunctions(name, MakeVariant(old_variant), MakeVariant(new_variant));
}

}  // namespace duetbench

#endif  // DUETBENCH_REGISTRY_DUET_BENCHMARK_H_
