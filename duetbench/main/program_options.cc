#include "duetbench/main/program_options.h"

#include <random>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/gates/gate.h"
#include "duetbench/google_benchmark/versions.h"
#include "duetbench/main/flag_parsing.h"

namespace duetbench {

absl::StatusOr<ProgramOptions> ReadProgramOptions(std::vector<std::string> argv,
                                                  const GetEnvironment& environment) {
  ProgramOptions options;
  for (const std::string& argument : argv) {
    options.gate_on_command_line |= absl::StartsWith(argument, "--duet_max_ratio=") ||
                                    absl::StartsWith(argument, "--duet_max_counter_ratio=") ||
                                    absl::StartsWith(argument, "--duet_max_quantile_ratio=");
  }
  absl::Status status = ApplyEnvironment(environment, &options.flags);
  if (status.ok()) status = ParseArguments(&argv, &options.flags);
  if (!status.ok()) return status;
  auto google_benchmark =
      ReadGoogleBenchmarkFlags(argv, environment, internal::kReadsSeconds, &options.flags.options);
  if (!google_benchmark.ok()) return google_benchmark.status();
  options.google_benchmark = *google_benchmark;
  // What has a gate is counted.
  for (const CounterGateSpec& gate : options.flags.options.counter_gates) {
    if (IsCountedAlways(gate.counter)) continue;
    std::string& counters = options.google_benchmark.perf_counters;
    absl::StrAppend(&counters, counters.empty() ? "" : ",", gate.counter);
  }
  std::optional<uint64_t>& seed = options.flags.options.seed;
  if (!seed.has_value()) seed = std::random_device()();
  return options;
}

}  // namespace duetbench
