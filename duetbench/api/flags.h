#ifndef DUETBENCH_API_FLAGS_H_
#define DUETBENCH_API_FLAGS_H_

#include <optional>
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
  double budget_of_each = 0;                      // duet; set by MeasureDuets
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

// The part of a row for an option of duets, which the chain and CompareOptions set too. A new one
// is a field of ExperimentOptions and a row of the table: flags, environment variables, --help and
// the precedence of what a chain or CompareOptions set follow from it.
struct DuetOption {
  const char* method = nullptr;  // of the chain and of CompareOptions; null: there is none
  const char* wanted = nullptr;  // what a number should be that `allows` refuses; null: any
  bool (*allows)(double number) = nullptr;
  // Sets the field of `to` to that of `from`, if that was set. Null where another row does it.
  void (*merge)(const ExperimentOptions& from, ExperimentOptions* to) = nullptr;
  // The field, if it is a number that was set; NaN for a text that is no number. May be null.
  std::optional<double> (*number)(const ExperimentOptions& options) = nullptr;
};

// A row of the table of all flags and options of duets.
struct Flag {
  const char* name;   // "duet_runs", "benchmark_min_time"; empty: the option has no flag
  const char* value;  // as --help calls it; choices are separated by "|"
  const char* help;   // null: --help does not list it
  // Sets what the flag stands for. Returns "", or what the text should have been: "a whole number".
  // Null without a flag. ReadFlag looks at the rule of the option, too.
  std::string (*read)(const char* value, absl::string_view text, Flags* flags);
  DuetOption option = {};
};

// As Google Benchmark reads truth: everything but "", "0", "f", "n", "false", "no" and "off".
bool IsTruthy(absl::string_view text);

// In the order of --help.
absl::Span<const Flag> AllFlags();

// Sets what `flag` stands for from its text. Returns "", or what the text should have been.
std::string ReadFlag(const Flag& flag, absl::string_view text, Flags* flags);

// The options of an experiment: the defaults, `flags` over them, and `own` over both.
ExperimentOptions MakeExperimentOptions(const ExperimentOptions& flags,
                                        const ExperimentOptions& own);

// "Level(2) should be a number between 0 and 1, such as 0.99 for 99 %", for the first option that
// has a value that it must not have. Empty if there is none.
std::string BrokenRule(const ExperimentOptions& options);

}  // namespace duetbench

#endif  // DUETBENCH_API_FLAGS_H_
