#include "duetbench/report/context.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/printable.h"
#include "duetbench/version.h"

namespace duetbench {

std::vector<std::pair<std::string, std::string>> ContextEntries(const Machine& machine,
                                                                const ExperimentOptions& options) {
  const bool one_cpu = machine.cpus.relation == CpuRelation::kOneCpu;
  const bool interleaved = one_cpu || options.schedule == Schedule::kInterleaved;
  std::vector<std::pair<std::string, std::string>> entries = {
      {"duet_version", DUETBENCH_VERSION_TEXT},
#ifdef DUETBENCH_GOOGLE_BENCHMARK_VERSION
      {"duet_google_benchmark", DUETBENCH_GOOGLE_BENCHMARK_VERSION},
#endif
      {"duet_cpus", interleaved ? absl::StrCat(machine.cpus.cpus[0])
                                : absl::StrCat(machine.cpus.cpus[0], ",", machine.cpus.cpus[1])},
      {"duet_cpu_relation", DescribeCpuPair(machine.cpus)},
      {"duet_clock", machine.clock},
      {"duet_schedule", interleaved ? "interleaved" : "duet"},
      {"duet_runs", options.runs > 0 ? absl::StrCat(options.runs)
                                     : absl::StrCat(kFewestRuns, " to ", kMostRuns)},
      {"duet_min_time", absl::StrFormat("%g", options.min_time)},
      {"duet_warm_up", absl::StrFormat("%g", options.warm_up)},
      {"duet_level", absl::StrFormat("%g", options.level)},
      {"duet_margin", absl::StrFormat("%g", options.margin)},
      {"duet_fill", options.fill ? "true" : "false"},
      {"duet_dry_run", options.dry_run ? "true" : "false"},
      {"duet_seed", absl::StrCat(options.seed)},
  };
  for (size_t i = 0; i < machine.warnings.size(); ++i) {
    entries.emplace_back(absl::StrCat("duet_warning_", i + 1), machine.warnings[i]);
  }
  for (auto& [key, value] : entries) value = Printable(value);
  return entries;
}

}  // namespace duetbench
