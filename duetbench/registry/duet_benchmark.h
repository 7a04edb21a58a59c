#ifndef DUETBENCH_REGISTRY_DUET_BENCHMARK_H_
#define DUETBENCH_REGISTRY_DUET_BENCHMARK_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "duetbench/registry/plain_row.h"
#include "duetbench/report/google_benchmark.h"
#include "duetbench/runner/comparison.h"
#include "duetbench/runner/duet_run.h"
#include "duetbench/runner/options.h"

namespace duetbench {

struct RunTask;

// Where a benchmark was registered. The builtins, as default arguments, give the file and the line
// of the outermost call.
struct Location {
  const char* file;
  int line;

  static constexpr Location Here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

// A registered duet: what DUET_BENCHMARK and RegisterDuet give, for chaining. It is a benchmark of
// Google Benchmark's registry like any other, so filters, arguments and reporters work on it; the
// chain methods of the library return this type again, so that they mix with the duet's own in any
// order:
//
//   DUET_BENCHMARK(BM_StdMap, BM_BTreeMap)->Range(64, 64 << 10)->Runs(20)->Unit(…);
//
// A chain method that gets an argument that makes no sense stops the program with a message.
class DuetBenchmark : public internal::BenchmarkBase {
 public:
  // Called with a State that has the arguments of the benchmark, and one thread.
  using Callback = std::function<void(const benchmark::State&)>;

  DuetBenchmark(const std::string& name, DuetFunctions functions, Location location);
  ~DuetBenchmark() override;

  // As registered, without arguments.
  const std::string& family_name() const { return name_; }
  const Location& location() const { return location_; }

  // What the flags say, and the chain over them.
  const std::vector<std::string>& counter_names() const { return counter_names_; }
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

  // Events to count on either side, besides those of --benchmark_perf_counters.
  DuetBenchmark* PerfCounters(std::vector<std::string> names);

  // Before anything is timed, both variants must have the same result, or the benchmark is an error
  // that shows both. Functions without arguments are called once each (between Setup and Teardown,
  // old first, in a process of its own) and what they return is compared with operator==. Variants
  // with a State execute one operation each, and set the same counters and the same label.
  DuetBenchmark* CheckEqual(bool check = true);

  // --- Gates: what the ratio new/old must keep, or the program fails; one for a duet ---

  // At most `ratio` (--duet_max_ratio): MaxRatio(1.05) allows new to be 5 % slower.
  DuetBenchmark* MaxRatio(double ratio);
  // New is at least `factor` times as fast as old.
  DuetBenchmark* MinSpeedup(double factor);
  // New is neither slower nor faster by more than `margin`: within 1/(1 + margin) and 1 + margin.
  DuetBenchmark* Equivalent(double margin);

  // --- Of the library, as benchmark/benchmark.h has them: names, arguments, units ---

  DuetBenchmark* Name(const std::string& name);
  DuetBenchmark* Arg(int64_t x) { return Self(Base::Arg(x)); }
  DuetBenchmark* Args(const std::vector<int64_t>& args) { return Self(Base::Args(args)); }
  DuetBenchmark* ArgPair(int64_t x, int64_t y) { return Args({x, y}); }
  DuetBenchmark* Range(int64_t start, int64_t limit) { return Self(Base::Range(start, limit)); }
  DuetBenchmark* RangePair(int64_t low1, int64_t high1, int64_t low2, int64_t high2) {
    return Ranges({{low1, high1}, {low2, high2}});
  }
  DuetBenchmark* DenseRange(int64_t start, int64_t limit, int step = 1) {
    return Self(Base::DenseRange(start, limit, step));
  }
  DuetBenchmark* Ranges(const std::vector<std::pair<int64_t, int64_t>>& ranges) {
    return Self(Base::Ranges(ranges));
  }
  DuetBenchmark* ArgsProduct(const std::vector<std::vector<int64_t>>& arglists) {
    return Self(Base::ArgsProduct(arglists));
  }
  DuetBenchmark* RangeMultiplier(int multiplier) { return Self(Base::RangeMultiplier(multiplier)); }
  DuetBenchmark* ArgName(const std::string& name) { return Self(Base::ArgName(name)); }
  DuetBenchmark* ArgNames(const std::vector<std::string>& names) {
    return Self(Base::ArgNames(names));
  }
  DuetBenchmark* Unit(benchmark::TimeUnit unit) { return Self(Base::Unit(unit)); }

  // Calls `function` with this benchmark. It takes a DuetBenchmark*, an `auto*` (and so serves
  // BENCHMARK as well), or the type of the library (benchmark::internal::Benchmark*, in newer
  // versions benchmark::Benchmark*). Of what the latter sets the duet sees arguments, names, units,
  // repetitions, statistics and complexity, but no times, iterations, Setup or Teardown: these are
  // kept to itself by the library, and are then without effect.
  template <class Function>
  DuetBenchmark* Apply(Function&& function) {
    std::forward<Function>(function)(this);
    return this;
  }
  // Of a function template, or an overloaded function, the instance for this type is meant.
  DuetBenchmark* Apply(void (*function)(DuetBenchmark*)) {
    function(this);
    return this;
  }

  // --- How long, how often, and around it ---

  // Seconds of measuring, over all runs.
  DuetBenchmark* MinTime(double seconds);
  // Seconds for which the variants run before they are measured, in every run: each is a process of
  // its own, and as cold as the others.
  DuetBenchmark* MinWarmUpTime(double seconds);
  // Each variant executes exactly n operations after each of its set-ups, that is in every run, and
  // in a short run twice; none of them is a calibration or a warm-up of its own. MinTime does not
  // apply: an experiment takes as long as n operations in all its runs (10 to 40, see Runs). A pair
  // is a part of the n operations that can be timed well, or all of them. Not with MinTime,
  // MinWarmUpTime, and without Fill.
  DuetBenchmark* Iterations(benchmark::IterationCount n);
  DuetBenchmark* Repetitions(int repetitions);
  // Called in the processes in which the variants run (and not in the one that reports), once in
  // each of them: Setup before either variant is called, Teardown when both have returned.
  DuetBenchmark* Setup(Callback callback);
  DuetBenchmark* Teardown(Callback callback);

  // --- Which time ---

  // The ratio and the verdict are of real time as a rule, and with this also against
  // --duet_time=cpu. Both times are in the rows.
  DuetBenchmark* UseRealTime();
  // The time that the variants report with SetIterationTime.
  DuetBenchmark* UseManualTime();
  DuetBenchmark* MeasureProcessCPUTime();

  // --- What is made of it ---

  DuetBenchmark* ReportAggregatesOnly(bool value = true) {
    return Self(Base::ReportAggregatesOnly(value));
  }
  DuetBenchmark* DisplayAggregatesOnly(bool value = true) {
    return Self(Base::DisplayAggregatesOnly(value));
  }
  // Needs SetComplexityN in the variants.
  DuetBenchmark* Complexity(benchmark::BigO complexity = benchmark::oAuto);
  DuetBenchmark* Complexity(benchmark::BigOFunc* complexity);
  DuetBenchmark* ComputeStatistics(const std::string& name, benchmark::StatisticsFunc* statistics,
                                   benchmark::StatisticUnit unit = benchmark::kTime) {
    return Self(Base::ComputeStatistics(name, statistics, unit));
  }

  // --- Refused: in a duet each variant has one thread, its partner the other ---

  template <class... Arguments>
  DuetBenchmark* Threads(Arguments...) {
    return Refuse<Arguments...>();
  }
  template <class... Arguments>
  DuetBenchmark* ThreadRange(Arguments...) {
    return Refuse<Arguments...>();
  }
  template <class... Arguments>
  DuetBenchmark* DenseThreadRange(Arguments...) {
    return Refuse<Arguments...>();
  }
  template <class... Arguments>
  DuetBenchmark* ThreadPerCpu(Arguments...) {
    return Refuse<Arguments...>();
  }
  template <class... Arguments>
  DuetBenchmark* ThreadRunner(Arguments...) {
    return Refuse<Arguments...>();
  }

  // Called by the library; measures, and hands over a comparison for the reporters.
  void Run(benchmark::State& state) override;

 private:
  using Base = internal::BenchmarkBase;

  DuetBenchmark* Self(Base*) { return this; }
  DuetBenchmark* Demand(GateDemand::Kind kind, double value, const char* wanted);

  template <class... Arguments>
  DuetBenchmark* Refuse() {
    static_assert(sizeof...(Arguments) > 1000,
                  "a duet has one thread for each variant: Threads, ThreadRange, DenseThreadRange, "
                  "ThreadPerCpu and ThreadRunner are for BENCHMARK. Measure one thread's work as a "
                  "duet, or start the threads within the variants");
    return this;
  }

  // Google Benchmark calls a benchmark once more than it reports it when it is to be warmed up. The
  // runs of a duet warm up by themselves.
  bool IsWarmUpCall(const std::vector<int64_t>& ranges);
  // `is_first`: of its repetitions.
  void Report(Comparison comparison, const std::string& name, const std::vector<int64_t>& ranges,
              bool is_first, benchmark::State& state);
  RowDemand DemandOnRow() const;
  // Adds to what is said at the end of the program; returns its place there.
  size_t Log(const std::string& name, const Comparison& comparison) const;
  // --duet_aa: each variant against itself.
  void CompareWithSelf(const std::string& name, int repetition, const RunTask& task,
                       const DuetFunctions& functions, benchmark::State& state) const;

  const DuetFunctions functions_;
  const Location location_;
  const int family_;
  std::string name_;  // the base class keeps its own to itself
  std::map<std::vector<int64_t>, int> repetitions_done_;
  std::map<std::vector<int64_t>, bool> warmed_up_;
  PlainRow plain_row_;

  // What the chain set; the rest is as the flags say.
  int runs_ = 0;
  int repetitions_ = 0;
  benchmark::IterationCount iterations_ = 0;
  double level_ = 0;
  double margin_ = -1;
  GateDemand gate_;
  double min_time_ = 0;
  double warm_up_ = 0;
  std::vector<std::string> counter_names_;
  bool fill_ = false;
  bool check_equal_ = false;
  bool has_schedule_ = false;
  bool real_time_ = false;
  bool manual_time_ = false;
  bool process_cpu_time_ = false;
  benchmark::BigO complexity_ = benchmark::oNone;
  benchmark::BigOFunc* complexity_lambda_ = nullptr;
  duetbench::Schedule schedule_ = duetbench::Schedule::kDuet;
  Callback set_up_;
  Callback tear_down_;
};

}  // namespace duetbench

#endif  // DUETBENCH_REGISTRY_DUET_BENCHMARK_H_
