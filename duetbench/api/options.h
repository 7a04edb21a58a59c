#ifndef DUETBENCH_API_OPTIONS_H_
#define DUETBENCH_API_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "duetbench/experiment/isolation.h"
#include "duetbench/experiment/schedule.h"
#include "duetbench/gates/gate_spec.h"
#include "duetbench/stats/verdict.h"

namespace duetbench {

// The options of a duet, which flags, the chain of a benchmark, or the CompareOptions of a test
// set. An option that is not set keeps its default (experiment/options.h); the chain and
// CompareOptions take precedence over flags. option_rules.h says which values are allowed. Times in
// seconds.
struct DuetOptions {
  std::optional<int> runs;         // processes; 1: in this very process
  std::optional<double> level;     // of the interval, such as 0.99
  std::optional<double> margin;    // difference that counts as none, such as 0.01
  std::optional<double> min_time;  // of measuring, over all runs
  std::optional<double> max_time;  // of a duet whose gate is not decided
  std::optional<double> warm_up;   // of each run, over and above the usual
  std::optional<double> timeout;   // of one run
  std::optional<int64_t> fixed_iterations;
  std::optional<uint64_t> seed;
  std::optional<Schedule> schedule;
  std::optional<Isolation> isolation;
  std::optional<bool> fill;  // the variant that is done keeps its CPU busy
  std::optional<bool> check_equal;
  std::optional<bool> cpu_time;     // the ratio is of CPU times, else of real times
  std::optional<bool> manual_time;  // the variants report their times
  std::optional<stats::Estimand> estimand;
  std::vector<double> quantiles;  // of single calls; empty: none
  std::optional<bool> dry_run;
  std::optional<bool> fresh_copy;       // each run executes a copy of the program
  std::optional<int> layouts;           // link layouts of the program; 1: its own alone
  std::optional<int> cpus_per_variant;  // for its threads; kAllCpus: all
  std::optional<GateSpec> gate;
  std::vector<CounterGateSpec> counter_gates;    // of benchmarks; one for a counter
  std::vector<QuantileGateSpec> quantile_gates;  // of benchmarks; one for a quantile
};

}  // namespace duetbench

#endif  // DUETBENCH_API_OPTIONS_H_
