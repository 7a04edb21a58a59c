#ifndef DUETBENCH_MAIN_FLAGS_H_
#define DUETBENCH_MAIN_FLAGS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "duetbench/api/options.h"

namespace duetbench {

// The values of the flags. Each is --duet_NAME=VALUE on the command line and DUET_NAME in the
// environment; the command line goes before the environment.
struct Flags {
  DuetOptions options;
  std::string cpus;               // --duet_cpus; empty: chosen
  std::string out;                // --duet_out; empty: none
  bool list = false;              // --duet_list
  bool require_counters = false;  // --duet_require_counters
  bool ctest = false;             // --duet_ctest
  WhenInconclusive inconclusive = WhenInconclusive::kSkip;
  std::string summary;      // --duet_summary; empty: none
  std::string junit;        // --duet_junit; empty: none
  std::string report;       // --duet_report; empty: none
  std::string bmf;          // --duet_bmf; empty: none
  std::string gobench;      // --duet_gobench; empty: none
  std::string openmetrics;  // --duet_openmetrics; empty: none
  bool aa = false;          // --duet_aa
  bool controls = false;    // --duet_controls
  bool calibrate = false;   // --duet_calibrate
  bool profile = false;     // --duet_profile
  double detect = 0;        // --duet_detect; 0: no slow-down is given
};

// Seconds with or without their unit, "0.5" or "0.5s"; NaN if `text` is no finite number.
double ReadSeconds(absl::string_view text);

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

// The error for an argument that is left over: names the nearest flag of duetbench or of Google
// Benchmark. If that is the very flag, then Google Benchmark refused its value.
absl::Status UnknownArgument(const std::string& argument);

}  // namespace duetbench

#endif  // DUETBENCH_MAIN_FLAGS_H_
