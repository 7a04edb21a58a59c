#include "duetbench/experiment/report_head.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/report/number_text.h"
#include "duetbench/report/printable.h"
#include "duetbench/version.h"

namespace duetbench {
std::vector<std::string> HeaderLines(const Machine& machine, const ExperimentOptions& options,
                                     double budget_s, size_t duets) {
  constexpr char kPrefix[] = "duetbench: ";
  std::string cpus = DescribeCpuPair(machine.cpus);
  if (options.schedule == Schedule::kInterleaved && machine.cpus.relation != CpuRelation::kOneCpu) {
    cpus = absl::StrCat("CPU ", machine.cpus.cpus[0],
                        " (not a duet: the variants are interleaved on it)");
  }
  std::string runs = budget_s > 0 ? "5 runs or more" : "5 to 40 runs";
  if (options.runs > 1) runs = absl::StrCat(options.runs.value(), " runs");
  std::vector<std::string> lines;
  lines.push_back(absl::StrCat(kPrefix, cpus));
  if (options.dry_run) {
    lines.push_back(
        absl::StrCat(kPrefix, "dry run: every benchmark once, duets as one pair; no verdicts"));
    return lines;
  }
  const std::string time = budget_s > 0 ? absl::StrCat(DurationText(budget_s), " for all duets")
                                        : absl::StrFormat("%g s a benchmark", MinTimeOf(options));
  const char* const clock = options.cpu_time ? "CPU" : "real";
  if (options.runs == 1) {
    lines.push_back(absl::StrCat(kPrefix, "1 run, ", time, ": the ratio new/old (", clock,
                                 " time) without an interval"));
  } else {
    lines.push_back(absl::StrFormat(
        "%s%s, %s, %g %% intervals of new/old (%s time), EQUAL within %g %%%s", kPrefix, runs, time,
        options.level * 100, clock, options.margin * 100, options.fill ? ", filled" : ""));
  }
  constexpr double kLongSuiteS = 600;  // chosen
  const double all_s = MinTimeOf(options) * static_cast<double>(duets);
  if (budget_s == 0 && all_s > kLongSuiteS) {
    lines.push_back(absl::StrCat(kPrefix, duets, " duets take ", DurationText(all_s),
                                 ": --duet_budget=5min gives that time to those that it decides"));
  }
  lines.push_back(
      absl::StrCat(kPrefix, "clock ", machine.clock, "; --duet_seed=", options.seed.value()));
  for (const std::string& warning : machine.warnings) {
    lines.push_back(absl::StrCat(kPrefix, "warning: ", warning));
  }
  return lines;
}

namespace {

// "0 duet, 1 interleaved, ...".
std::string SchedulesByNumber() {
  std::string text;
  for (const Schedule schedule :
       {Schedule::kDuet, Schedule::kInterleaved, Schedule::kAlternating}) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", static_cast<int>(schedule), " ",
                    NameOf(schedule));
  }
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ContextEntries(const Machine& machine,
                                                                const ExperimentOptions& options) {
  const bool one_cpu = machine.cpus.relation == CpuRelation::kOneCpu;
  const std::optional<Schedule> schedule = PossibleSchedule(options.schedule, machine);
  const bool interleaved = one_cpu || schedule == Schedule::kInterleaved;
  std::vector<std::pair<std::string, std::string>> entries = {
      {"duet_version", DUETBENCH_VERSION_TEXT},
#ifdef DUETBENCH_GOOGLE_BENCHMARK_VERSION
      {"duet_google_benchmark", DUETBENCH_GOOGLE_BENCHMARK_VERSION},
#endif
      {"duet_cpus", interleaved ? absl::StrCat(machine.cpus.cpus[0])
                                : absl::StrCat(machine.cpus.cpus[0], ",", machine.cpus.cpus[1])},
      {"duet_cpu_relation", DescribeCpuPair(machine.cpus)},
      {"duet_clock", machine.clock},
      {"duet_schedule", schedule.has_value() ? NameOf(*schedule) : "auto"},
      {"duet_schedules", SchedulesByNumber()},  // the rows have numbers
      {"duet_runs", options.runs > 0 ? absl::StrCat(options.runs.value())
                                     : absl::StrCat(kMeasuringPolicy.min_runs, " to ",
                                                    kMeasuringPolicy.max_runs)},
      {"duet_min_time", absl::StrFormat("%g", MinTimeOf(options))},
      {"duet_warm_up", absl::StrFormat("%g", options.warm_up.value())},
      {"duet_level", absl::StrFormat("%g", options.level.value())},
      {"duet_margin", absl::StrFormat("%g", options.margin.value())},
      {"duet_fill", options.fill ? "true" : "false"},
      {"duet_dry_run", options.dry_run ? "true" : "false"},
      {"duet_seed", absl::StrCat(options.seed.value())},
  };
  for (size_t i = 0; i < machine.warnings.size(); ++i) {
    entries.emplace_back(absl::StrCat("duet_warning_", i + 1), machine.warnings[i]);
  }
  for (auto& [key, value] : entries) value = Printable(value);
  return entries;
}

}  // namespace duetbench
