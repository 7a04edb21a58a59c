#ifndef DUETBENCH_API_DUET_BENCHMARK_H_
#define DUETBENCH_API_DUET_BENCHMARK_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "duetbench/record/schedule.h"
#include "duetbench/variant/private_members.h"

namespace duetbench {

class DuetBenchmark;
struct DuetSpec;
struct GateSpec;

namespace internal {

// A function of Google Benchmark's State. (<functional> costs every user's file 40 ms.)
class StateCall {
 public:
  virtual ~StateCall() = default;
  virtual void operator()(const benchmark::State& state) const = 0;
};

template <class Callback>
class StateCallOf final : public StateCall {
 public:
  explicit StateCallOf(Callback callback) : callback_(std::move(callback)) {}
  void operator()(const benchmark::State& state) const override { callback_(state); }

 private:
  mutable Callback callback_;
};

// Null for a null pointer.
template <class Callback>
std::shared_ptr<const StateCall> MakeStateCall(Callback callback) {
  if constexpr (std::is_same_v<Callback, std::nullptr_t>) {
    return nullptr;
  } else {
    if constexpr (std::is_pointer_v<Callback>) {
      if (callback == nullptr) return nullptr;
    }
    return std::make_shared<StateCallOf<Callback>>(std::move(callback));
  }
}

// A method that does not compile where it is called.
struct NoThreads {
  template <class... Arguments>
  DuetBenchmark* operator()(Arguments...) const {
    static_assert(sizeof...(Arguments) > 1000,
                  "a duet has one thread for each variant: Threads, ThreadRange, DenseThreadRange, "
                  "ThreadPerCpu and ThreadRunner are for BENCHMARK. Measure one thread's work as a "
                  "duet, or start the threads within the variants");
    return nullptr;
  }
};

}  // namespace internal

// A default argument has the value of the file that calls, whatever the library was compiled with.
#ifdef __OPTIMIZE__
#define DUETBENCH_IS_OPTIMIZED true
#else
#define DUETBENCH_IS_OPTIMIZED false
#endif

// Where a benchmark was registered. The builtins, as default arguments, give the file and the line
// of the outermost call.
struct Location {
  const char* file = "";
  int line = 0;
  bool is_optimized = true;  // the file is compiled with optimization

  static constexpr Location Here(const char* file = __builtin_FILE(), int line = __builtin_LINE(),
                                 bool is_optimized = DUETBENCH_IS_OPTIMIZED) {
    return {file, line, is_optimized};
  }
};

// A registered duet: what DUET_BENCHMARK and RegisterDuet return, for chaining. The methods that
// Google Benchmark has too do the same as there, and all can be called in any order:
//
//   DUET_BENCHMARK(BM_StdMap, BM_BTreeMap)->Range(64, 64 << 10)->Runs(20)->Unit(…);
//
// A method stops the program with a message if it gets a value that makes no sense.
class DuetBenchmark {
 public:
  // `spec` outlives this.
  explicit DuetBenchmark(DuetSpec* spec) : spec_(*spec) {}
  DuetBenchmark(const DuetBenchmark&) = delete;
  DuetBenchmark& operator=(const DuetBenchmark&) = delete;

  // The settings made so far.
  const DuetSpec& spec() const { return spec_; }

  // --- How it is measured ---

  // Processes to measure in (--duet_runs).
  DuetBenchmark* Runs(int runs);
  // Level of the interval, 0 < level < 1 (--duet_level).
  DuetBenchmark* Level(double level);
  // Difference that counts as none (--duet_margin).
  DuetBenchmark* Margin(double margin);
  // The variant that is done keeps its CPU busy until the other one is done (--duet_fill).
  DuetBenchmark* Fill(bool fill = true);
  // Both variants at the same time, or in turns (--duet_schedule).
  DuetBenchmark* Schedule(duetbench::Schedule schedule);
  // Which CPUs a variant and the threads that it starts may use (--duet_cpus_per_variant):
  // kAllCpus, those that the process may use, or a number of them, the same ones for both variants,
  // which then take turns; or 1, each is confined to one. If the process may not use as many, it
  // uses all, and a notice says so. By default a pilot run finds out whether a variant starts
  // threads.
  DuetBenchmark* CpusPerVariant(int cpus);
  // Which process a variant is measured in (--duet_isolation): by default one that has this variant
  // and one thread only. kThread: both in one process, for variants that share state by design.
  DuetBenchmark* Isolation(duetbench::Isolation isolation);
  // Events to count for each variant, besides those of --benchmark_perf_counters.
  DuetBenchmark* PerfCounters(std::vector<std::string> names);
  // Reports the ratio at quantiles of the times of single calls too (--duet_quantiles), with
  // intervals that hold together. A sample is then one iteration of the loop, if the clock can time
  // it: calls shorter than 20 of its steps are not, and a notice says so.
  DuetBenchmark* Quantiles(std::vector<double> quantiles = {0.5, 0.9, 0.99, 0.999});
  // Before anything is timed, both variants must have the same result, or the benchmark is an error
  // that shows both. Functions without arguments are called once each (between Setup and Teardown,
  // old first, in a separate process) and what they return is compared with operator==. Variants
  // with a State execute one iteration each, and set the same counters and the same label.
  DuetBenchmark* CheckEqual(bool check = true);

  // --- Gates: what the ratio new/old must keep, or the program fails; one for a duet ---

  // At most `ratio` (--duet_max_ratio): MaxRatio(1.05) allows new to be 5 % slower.
  DuetBenchmark* MaxRatio(double ratio);
  // New is at least `factor` times as fast as old.
  DuetBenchmark* MinSpeedup(double factor);
  // No other one of more than two variants is faster than `variant` by more than `margin`. It is
  // the gate of each comparison of that variant.
  DuetBenchmark* Fastest(const std::string& variant, double margin = 0);
  // New is neither slower nor faster by more than `margin`: within 1/(1 + margin) and 1 + margin.
  DuetBenchmark* Equivalent(double margin);

  // New counts at most `ratio` times as much as old per iteration (--duet_max_counter_ratio):
  // MaxCounterRatio("ALLOCATIONS", 1) allows no more allocations. Counts "ALLOCATIONS" (with
  // duetbench::RegisterMemoryManager), "MINOR-FAULTS", or an event as PerfCounters does; or memory:
  // "PEAK-HEAP" (with a manager that counts bytes) is the most that was allocated at once in an
  // iteration, "PEAK-RSS" by how much the process of a variant grew, set-up included. One for each
  // counter, also beside a gate on the ratio of times.
  DuetBenchmark* MaxCounterRatio(const std::string& counter, double ratio);

  // A quantile of the times of single calls of new is at most `ratio` times that of old
  // (--duet_max_quantile_ratio): MaxQuantileRatio(0.99, 1.1) allows a p99 that is 10 % higher. One
  // for each quantile, also beside other gates. The calls are timed one by one, as with Quantiles;
  // a call that is too short for that is an error.
  DuetBenchmark* MaxQuantileRatio(double quantile, double ratio);

  // --- Names, arguments, units ---

  DuetBenchmark* Name(const std::string& name);
  // The names of the two functions in reports: "FASTER: NEW_NAME takes 0.8 × the time of OLD_NAME".
  // The macros set it; without it they are called old and new.
  DuetBenchmark* VariantNames(const char* old_name, const char* new_name);
  DuetBenchmark* Arg(int64_t x) { return Args({x}); }
  DuetBenchmark* Args(const std::vector<int64_t>& args);
  DuetBenchmark* ArgPair(int64_t x, int64_t y) { return Args({x, y}); }
  DuetBenchmark* Range(int64_t start, int64_t limit);
  DuetBenchmark* RangePair(int64_t low1, int64_t high1, int64_t low2, int64_t high2) {
    return Ranges({{low1, high1}, {low2, high2}});
  }
  DuetBenchmark* DenseRange(int64_t start, int64_t limit, int step = 1);
  DuetBenchmark* Ranges(const std::vector<std::pair<int64_t, int64_t>>& ranges);
  DuetBenchmark* ArgsProduct(const std::vector<std::vector<int64_t>>& arglists);
  DuetBenchmark* RangeMultiplier(int multiplier);
  DuetBenchmark* ArgName(const std::string& name) { return ArgNames({name}); }
  DuetBenchmark* ArgNames(const std::vector<std::string>& names);
  DuetBenchmark* Unit(benchmark::TimeUnit unit);

  // Calls `function` with this benchmark. It takes a DuetBenchmark*, an `auto*` (and so serves
  // BENCHMARK as well), or the type of Google Benchmark (benchmark::internal::Benchmark*, in newer
  // versions benchmark::Benchmark*). What a function of the latter kind sets is copied to the duet,
  // except for Setup and Teardown.
  template <class Function>
  DuetBenchmark* Apply(Function&& function) {
    if constexpr (std::is_invocable_v<Function&, DuetBenchmark*>) {
      function(this);
      return this;
    } else {
      const auto call = [&function](internal::BenchmarkBase* base) { function(base); };
      return ApplyToBase([](internal::BenchmarkBase* base,
                            const void* called) { (*static_cast<decltype(call)*>(called))(base); },
                         &call);
    }
  }
  // The instance for this type of a function template, or of an overloaded function.
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
  // Each variant executes exactly n iterations after each of its set-ups, that is in every run, and
  // in a short run twice; none of them is a calibration or a separate warm-up. An experiment then
  // takes as long as n iterations in all its runs (5 to 40, see Runs). A sample has a part of the
  // n iterations that can be timed well, or all of them. Not with MinTime or MinWarmUpTime; Fill
  // has no effect.
  DuetBenchmark* Iterations(benchmark::IterationCount n);
  // Measures `repetitions` times as long, for one result of all that.
  DuetBenchmark* Repetitions(int repetitions);
  // Called in the processes in which the variants run (and not in the one that reports), once in
  // each of them: Setup before either variant is called, Teardown when both have returned.
  // Each is called with a const benchmark::State& that has the arguments of the benchmark, and one
  // thread.
  template <class Callback>
  DuetBenchmark* Setup(Callback callback) {
    return SetUpWith(internal::MakeStateCall(std::move(callback)));
  }
  template <class Callback>
  DuetBenchmark* Teardown(Callback callback) {
    return TearDownWith(internal::MakeStateCall(std::move(callback)));
  }

  // --- Which time ---

  // The ratio and the verdict are of real time as a rule, and with this also against
  // --duet_time=cpu. Both times are in the rows.
  DuetBenchmark* UseRealTime();
  // The time that the variants report with SetIterationTime.
  DuetBenchmark* UseManualTime();
  DuetBenchmark* MeasureProcessCPUTime();

  // --- What is reported ---

  // A duet has one result for each list of arguments, and no rows made of several (_mean, _BigO):
  // these change nothing, so that chains of Google Benchmark compile. Complexity warns of that.
  DuetBenchmark* Complexity(benchmark::BigO /*complexity*/ = benchmark::oAuto) { return Warned(); }
  DuetBenchmark* Complexity(benchmark::BigOFunc* /*complexity*/) { return Warned(); }
  DuetBenchmark* ReportAggregatesOnly(bool /*value*/ = true) { return this; }
  DuetBenchmark* DisplayAggregatesOnly(bool /*value*/ = true) { return this; }
  DuetBenchmark* ComputeStatistics(const std::string& /*name*/, benchmark::StatisticsFunc*,
                                   benchmark::StatisticUnit /*unit*/ = benchmark::kTime) {
    return this;
  }

  // --- Refused: in a duet each variant has one thread ---

  static constexpr internal::NoThreads Threads{}, ThreadRange{}, DenseThreadRange{}, ThreadPerCpu{},
      ThreadRunner{};

 private:
  // `call` calls `function` with a benchmark of Google Benchmark.
  DuetBenchmark* ApplyToBase(void (*call)(internal::BenchmarkBase*, const void* function),
                             const void* function);
  DuetBenchmark* SetUpWith(std::shared_ptr<const internal::StateCall> call);
  DuetBenchmark* TearDownWith(std::shared_ptr<const internal::StateCall> call);
  DuetBenchmark* Warned();
  DuetBenchmark* Gate(const GateSpec& gate);
  template <auto field, class Value>
  DuetBenchmark* Set(Value value);  // of an option
  DuetBenchmark* CheckOptions();
  void CheckCount(size_t arguments, const char* method) const;

  DuetSpec& spec_;
};

}  // namespace duetbench

#endif  // DUETBENCH_API_DUET_BENCHMARK_H_
