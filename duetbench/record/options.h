#ifndef DUETBENCH_RECORD_OPTIONS_H_
#define DUETBENCH_RECORD_OPTIONS_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "duetbench/platform/event.h"
#include "duetbench/record/schedule.h"
#include "duetbench/record/verdict.h"

namespace duetbench {

// The value of an option, which knows whether it was set or is the default.
template <class T>
class OptionValue {
 public:
  // The default.
  constexpr explicit OptionValue(T value) : value_(std::move(value)) {}
  OptionValue& operator=(T value) {
    value_ = std::move(value);
    is_set_ = true;
    return *this;
  }

  constexpr operator const T&() const { return value_; }  // NOLINT(google-explicit-constructor)
  constexpr const T& value() const { return value_; }
  constexpr bool is_set() const { return is_set_; }

 private:
  T value_;
  bool is_set_ = false;
};

inline constexpr int kCpusByThreads = -1;

// A variant has CPUs for its threads, in turns with its partner.
inline bool HasCpusForThreads(int cpus_per_variant) {
  return cpus_per_variant == kAllCpus || cpus_per_variant > 1;
}

// Where the functions of the programs of runs lie.
enum class CodeLayout {
  kRandom,  // elsewhere in each run, as far as that is possible (code_layout/code_layouts.h)
  kLinked,  // as the linker has placed them
};

// Options of an experiment (all runs of one duet benchmark): the defaults, and the values that
// flags, the chain of a benchmark or the CompareOptions of a test set (api/flags.cc). Times
// in seconds.
struct ExperimentOptions {
  // 0: as many as start-up allows, 10 to 40, or 5 if set-up is expensive; 1: without
  // an interval, in a fork of this process.
  OptionValue<int> runs{0};
  // Wall time of the experiment: starts of processes, set-ups and pilot runs included, as far as it
  // leaves a quarter for measuring, and suffices for the fewest runs.
  OptionValue<double> min_time{1};
  // Limit of an experiment that measures until a gate is decided, starts of processes included.
  // 0: 10, or min_time if that is more.
  OptionValue<double> max_time{0};
  OptionValue<int> repetitions{1};   // factor of min_time and max_time
  OptionValue<double> warm_up{0};    // of each run, over and above the usual
  OptionValue<double> timeout{60};   // of one run
  OptionValue<double> level{0.99};   // of the interval
  OptionValue<double> margin{0.01};  // differences up to this count as EQUAL
  std::optional<Schedule> schedule;  // nothing: chosen by runs (policy.h)
  OptionValue<Isolation> isolation{Isolation::kFork};
  OptionValue<bool> fill{false};  // the variant that is done keeps its CPU busy
  OptionValue<uint64_t> seed{0};
  // Exact number of iterations of each variant after each of its set-ups; 0: as many as the time
  // allows.
  OptionValue<int64_t> fixed_iterations{0};
  OptionValue<bool> manual_time{false};  // the variants report their times
  OptionValue<bool> cpu_time{false};     // the ratio is of CPU times, else of real times
  OptionValue<stats::Estimand> estimand{stats::Estimand::kAuto};  // which ratio decides
  // The ratio at these quantiles of single calls is wanted; each in (0, 1). A sample is then one
  // iteration, if that is long enough for the clock.
  std::vector<double> quantiles;
  // One for a metric. With runs = 0 the experiment lasts until all are decided.
  std::vector<GateSpec> gates;
  // One iteration of each variant as one pair, to see that they work.
  OptionValue<bool> dry_run{false};
  OptionValue<bool> check_equal{false};  // check first that both variants do the same
  OptionValue<CodeLayout> layout{CodeLayout::kRandom};
  // As RunPlan::cpus_per_variant, or kCpusByThreads: 1, unless a variant starts threads.
  OptionValue<int> cpus_per_variant{kCpusByThreads};

  // Set by the program, never by a user.
  bool until_verdict = false;  // without gates, until the verdict is decided (runs = 0)
  int variants = 2;            // RunPlan::variants
  bool calls = false;          // RunPlan::calls
  // A sample is the execution of a program from its start to its end; the launcher takes care that
  // the first runs at the same time have solo executions (FindMutualDisturbance).
  bool executions = false;
  bool takes_seconds = false;  // such a program can be told how long it takes
  int threads = 0;             // of each variant, which then run in turns; 0: one
  std::vector<Event> events;   // to count for both variants; at most kMaxEvents
};

// max_time with its default in place.
inline double MaxTime(const ExperimentOptions& options) {
  return options.max_time > 0 ? options.max_time.value() : std::max(10.0, options.min_time.value());
}

// True if the ratio is of CPU times. Manual times have no other.
inline bool UsesCpuTime(const ExperimentOptions& options) {
  return options.cpu_time && !options.manual_time;
}

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_OPTIONS_H_
