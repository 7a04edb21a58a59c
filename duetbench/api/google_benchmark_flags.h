#ifndef DUETBENCH_API_GOOGLE_BENCHMARK_FLAGS_H_
#define DUETBENCH_API_GOOGLE_BENCHMARK_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/api/flag_parsing.h"

namespace duetbench {

// The flags of Google Benchmark that duets and their reports obey. Its own parser keeps their
// values to itself.
struct GoogleBenchmarkFlags {
  bool list_tests = false;
  bool dry_run = false;
  std::string format = "console";
  std::string out;  // empty: none
  std::string out_format = "json";
  std::string color = "auto";
  bool counters_tabular = false;
  std::string perf_counters;
};

// Reads --benchmark_NAME=VALUE from `arguments`, the last one of each name, else the variable
// BENCHMARK_NAME. What concerns the measuring (min_time, min_warmup_time, repetitions, dry_run) is
// also set in `duets`. `reads_iterations`: --benchmark_min_time may be a number of iterations,
// "100x". InvalidArgument names the flag and what its value should be: Google Benchmark itself
// would ignore it, or print its usage and end with status 0.
absl::StatusOr<GoogleBenchmarkFlags> ReadGoogleBenchmarkFlags(
    const std::vector<std::string>& arguments, const GetEnvironment& environment,
    bool reads_iterations, ExperimentOptions* duets);

// As Google Benchmark reads truth: everything but "", "0", "f", "n", "false", "no" and "off".
bool IsTruthy(const std::string& text);

}  // namespace duetbench

#endif  // DUETBENCH_API_GOOGLE_BENCHMARK_FLAGS_H_
