#include "duetbench/main/preconditions.h"

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/main/suite_end.h"

namespace duetbench {

absl::Status CheckDemandedGate(const ProgramOptions& options,
                               const std::vector<DuetInstance>& instances) {
  const char* const flag =
      options.flags.options.gate.has_value()          ? "--duet_max_ratio"
      : !options.flags.options.counter_gates.empty()  ? "--duet_max_counter_ratio"
      : !options.flags.options.quantile_gates.empty() ? "--duet_max_quantile_ratio"
                                                      : nullptr;
  if (flag == nullptr) return absl::OkStatus();
  if (instances.empty()) {
    return absl::NotFoundError(absl::StrCat(
        flag, ": a gate was demanded, and --benchmark_filter=", benchmark::GetBenchmarkFilter(),
        " selects no duet", HintForRowName(benchmark::GetBenchmarkFilter(), RegisteredDuets())));
  }
  const char* const instead = options.google_benchmark.dry_run ? "--benchmark_dry_run"
                              : options.flags.aa               ? "--duet_aa"
                              : options.flags.calibrate        ? "--duet_calibrate"
                                                               : nullptr;
  if (instead == nullptr || !options.gate_on_command_line) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(flag, ": a gate was demanded, and ", instead, " measures none; leave one out"));
}

absl::Status CheckDistinctOutputs(const ProgramOptions& options) {
  std::vector<NamedPath> paths = {{"--benchmark_out", options.google_benchmark.out},
                                  {"--duet_out", options.flags.out},
                                  {"--duet_summary", options.flags.summary}};
  for (NamedPath& path : SuiteFilePaths(options.flags)) paths.push_back(std::move(path));
  return CheckDistinct(paths);
}

absl::Status CheckFreeDescriptors() {
  constexpr int kNeeded = 8;
  int opened[kNeeded];
  int count = 0;
  while (count < kNeeded && (opened[count] = open("/", O_RDONLY | O_CLOEXEC)) >= 0) ++count;
  const int error = errno;
  for (int i = 0; i < count; ++i) close(opened[i]);
  if (count == kNeeded) return absl::OkStatus();
  return absl::ErrnoToStatus(error, "no descriptors are free for files and processes");
}

}  // namespace duetbench
