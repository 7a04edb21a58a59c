#ifndef DUETBENCH_API_FLAGS_H_
#define DUETBENCH_API_FLAGS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "duetbench/record/options.h"

namespace duetbench {

// The rows whose verdict is explained (record/explanation.h).
enum class WhenExplained {
  kNever,
  kFailedGates,
  kDecided,   // FASTER and SLOWER
  kWithCode,  // the same, with machine code
};

// The values of the flags. Each is --NAME=VALUE on the command line and, in capitals, NAME in the
// environment; the command line goes before the environment.
struct Flags {
  ExperimentOptions options;
  std::string cpus;                               // --duet_cpus; empty: chosen
  std::string out;                                // --duet_out; empty: none
  bool lock = true;                               // --duet_lock
  bool list = false;                              // --duet_list
  bool sequential = false;                        // --duet_order=sequential
  double budget = 0;                              // --duet_budget, seconds; 0: none
  bool measure_unchanged = false;                 // --duet_unchanged=measure
  WhenExplained explain = WhenExplained::kNever;  // --duet_explain
  bool require_counters = false;                  // --duet_require_counters
  WhenInconclusive inconclusive = WhenInconclusive::kSkip;
  std::string summary;   // --duet_summary; empty: none
  std::string junit;     // --duet_junit; empty: none
  std::string report;    // --duet_report; empty: none
  bool profile = false;  // --duet_profile
  // --duet_max_ratio, --duet_max_counter_ratio or --duet_max_quantile_ratio is an argument: unlike
  // the environment, which may be that of many programs, it is meant for this one.
  bool gate_on_command_line = false;

  // Flags of Google Benchmark that duets and their reports obey: its own parser keeps their values
  // to itself.
  bool list_tests = false;          // --benchmark_list_tests
  std::string format = "console";   // --benchmark_format
  std::string benchmark_out;        // --benchmark_out; empty: none
  std::string out_format = "json";  // --benchmark_out_format
  std::string color = "auto";       // --benchmark_color
  bool counters_tabular = false;    // --benchmark_counters_tabular
  std::string perf_counters;        // --benchmark_perf_counters, and the events of gates
  std::string time_unit = "ns";     // --benchmark_time_unit
};

// A flag that is no option of a duet (api/option_table.h).
struct ProgramFlag {
  const char* name;   // "duet_out"
  const char* value;  // as --help calls it
  const char* help;   // null: --help does not list it
  // Sets what the flag stands for. Returns "", or what the value should have been: "a whole
  // number".
  std::string (*read)(const char* value, absl::string_view text, Flags* flags);
};

// In the order of --help.
absl::Span<const ProgramFlag> ProgramFlags();

}  // namespace duetbench

#endif  // DUETBENCH_API_FLAGS_H_
