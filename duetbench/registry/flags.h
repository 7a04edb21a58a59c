#ifndef DUETBENCH_REGISTRY_FLAGS_H_
#define DUETBENCH_REGISTRY_FLAGS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "duetbench/runner/options.h"

namespace duetbench {

// What the flags of this library say. Each is --duet_NAME=VALUE on the command line and DUET_NAME
// in the environment; the command line goes first.
struct Flags {
  ExperimentOptions experiment;
  std::string cpus;  // --duet_cpus; empty: chosen
  bool seed_given = false;
  std::string out;                // --duet_out; empty: none
  bool list = false;              // --duet_list
  bool require_counters = false;  // --duet_require_counters
  bool ctest = false;             // --duet_ctest
  WhenInconclusive inconclusive = WhenInconclusive::kPass;
  std::string summary;     // --duet_summary; empty: none
  std::string junit;       // --duet_junit; empty: none
  bool aa = false;         // --duet_aa
  bool calibrate = false;  // --duet_calibrate
  double detect = 0;       // --duet_detect; 0: nothing is wished
};

// Looks up an environment variable; null if it is not set. (getenv, but for tests.)
using GetEnvironment = std::function<const char*(const char*)>;

// Takes every DUET_* variable that belongs to a flag. InvalidArgument names the variable and what
// it should have been.
absl::Status ApplyEnvironment(const GetEnvironment& environment, Flags* flags);

// Takes the --duet_* arguments out of `arguments` (argv without argv[0]) and applies them.
// InvalidArgument for an unknown name (with the nearest one that exists) and for a bad value.
absl::Status ParseArguments(std::vector<std::string>* arguments, Flags* flags);

// A line for each flag, as --help shows them.
std::string FlagsHelp();

// The error for an argument that nobody took: names the nearest flag of this library or of Google
// Benchmark. Of a flag that exists Google Benchmark did not take the value.
absl::Status UnknownArgument(const std::string& argument);

// What Google Benchmark was told about a flag of its own ("min_time"): the last
// --benchmark_NAME=VALUE of `arguments` ("true" if it has no value), else BENCHMARK_NAME, else
// empty.
std::string GoogleBenchmarkFlag(const std::vector<std::string>& arguments,
                                const GetEnvironment& environment, const std::string& name);

// --benchmark_min_time: "0.5", "0.5s"; 0 for the empty text and for iteration counts ("100x"),
// which have no meaning in seconds. InvalidArgument for what Google Benchmark would not take
// either.
absl::StatusOr<double> ParseMinTime(const std::string& text);

// InvalidArgument if --benchmark_format, _out_format or _time_unit (or its environment variable)
// has a value that Google Benchmark does not know: it would print its usage and end with status 0.
absl::Status CheckGoogleBenchmarkFlags(const std::vector<std::string>& arguments,
                                       const GetEnvironment& environment);

// "true", "yes", "1" and the like, as Google Benchmark reads them.
bool IsTruthy(const std::string& text);

}  // namespace duetbench

#endif  // DUETBENCH_REGISTRY_FLAGS_H_
