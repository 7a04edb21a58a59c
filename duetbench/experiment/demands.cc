#include "duetbench/experiment/demands.h"

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/experiment/suite_end.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/report/comparison_format.h"

namespace duetbench {
namespace {

std::string UnmeasuredGate(const Comparison& comparison) {
  if (comparison.estimate() == nullptr) return "";
  for (const GateResult& gate : comparison.estimate()->gates) {
    if (gate.runs > 0) continue;
    return absl::StrCat("a gate on ", MetricName(gate.spec.metric),
                        gate.spec.metric.is_quantile()
                            ? ": one call is too short for the clock to be timed alone"
                            : ": no run has counted it for both variants");
  }
  return "";
}

}  // namespace

void CheckDemands(Comparison* comparison) {
  const std::string cause = UnmeasuredGate(*comparison);
  if (!cause.empty()) *comparison = FailedComparison(cause);
}

absl::Status CheckDemandedGate(const Flags& flags, const std::vector<DuetInstance>& instances) {
  if (flags.options.gates.empty()) return absl::OkStatus();
  const Metric& metric = flags.options.gates.front().metric;
  const char* const flag = metric.is_time()       ? "--duet_max_ratio"
                           : metric.is_quantile() ? "--duet_max_quantile_ratio"
                                                  : "--duet_max_counter_ratio";
  if (instances.empty()) {
    return absl::NotFoundError(absl::StrCat(
        flag, ": a gate was demanded, and --benchmark_filter=", benchmark::GetBenchmarkFilter(),
        " selects no duet", HintForRowName(benchmark::GetBenchmarkFilter(), RegisteredDuets())));
  }
  if (!flags.options.dry_run || !flags.gate_on_command_line) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      flag, ": a gate was demanded, and --benchmark_dry_run measures none; leave one out"));
}

absl::Status CheckDistinctOutputs(const Flags& flags) {
  std::vector<NamedPath> paths = {{"--benchmark_out", flags.benchmark_out},
                                  {"--duet_out", flags.out},
                                  {"--duet_summary", flags.summary}};
  for (NamedPath& path : SuiteFilePaths(flags)) paths.push_back(std::move(path));
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
