#include "duetbench/experiment/report_head.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/experiment/duet_request.h"
#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/survey.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/text.h"
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

namespace {

std::string NameOfFile(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void AddPrograms(const ProgramsCompared& programs, SuiteHeader* header) {
  std::vector<std::string> new_programs;
  for (size_t i = 1; i < programs.programs.size(); ++i) {
    new_programs.push_back(programs.programs[i].second);
  }
  header->json_context.emplace_back("duet_old", programs.programs.front().second);
  header->json_context.emplace_back("duet_new", absl::StrJoin(new_programs, ", "));
  header->lines.insert(
      header->lines.begin(),
      absl::StrCat(
          "duetbench: ", absl::StrJoin(programs.programs, ", ", absl::PairFormatter(" is ")),
          programs.remark));
}

void AddCalledForEachSample(const std::vector<const DuetSpec*>& specs, SuiteHeader* header) {
  const auto called = std::count_if(specs.begin(), specs.end(),
                                    [](const DuetSpec* spec) { return HasCalls(*spec); });
  if (called == 0) return;
  header->lines.push_back(
      absl::StrCat("duetbench: functions of benchmark::State& in ", called, " of ", specs.size(),
                   " benchmarks: each of their samples is one call, set-up included but not "
                   "timed"));
}

// The library does not know how the variants are compiled; the file that registers them does.
void AddUnoptimized(const std::vector<const DuetSpec*>& specs, SuiteHeader* header) {
  const auto is_unoptimized = [](const DuetSpec* spec) { return !spec->location.is_optimized; };
  const auto first = std::find_if(specs.begin(), specs.end(), is_unoptimized);
  if (first == specs.end()) return;
  header->lines.push_back(absl::StrCat(
      "duetbench: warning: ", std::count_if(specs.begin(), specs.end(), is_unoptimized), " of ",
      specs.size(), " benchmarks are compiled without optimization (",
      NameOfFile((*first)->location.file), "): their ratio says nothing about a release; ",
      "build with -O2 (CMAKE_BUILD_TYPE=Release)"));
}

// Where the functions lie in the runs.
void AddLayout(const Flags& flags, const ExperimentOptions& experiment,
               const std::optional<ProgramsCompared>& programs, Launcher* launcher,
               SuiteHeader* header) {
  bool is_random = experiment.layout == CodeLayout::kRandom && experiment.runs != 1 &&
                   experiment.isolation != Isolation::kOnce && !flags.options.dry_run;
  if (is_random) {
    std::string why_linked;
    if (programs.has_value()) {
      is_random = programs->have_layouts;
      why_linked = programs->why_linked;
    } else {
      const auto& executable = launcher->executable();
      is_random = executable.ok();
      why_linked = is_random ? (*executable)->WhySomeStay(MappedFiles())
                             : std::string(executable.status().message());
    }
    if (!why_linked.empty()) {
      header->lines.push_back(
          absl::StrCat("duetbench: ", is_random ? "some functions" : "functions",
                       " lie where they are linked, in all runs: ", Printable(why_linked)));
    }
  }
  header->json_context.emplace_back("duet_layout", is_random ? "random" : "linked");
}

}  // namespace

absl::StatusOr<SuiteHeader> DescribeSuite(const Flags& flags,
                                          const std::vector<const DuetSpec*>& specs,
                                          const std::optional<ProgramsCompared>& programs,
                                          size_t duets, Launcher* launcher) {
  const absl::StatusOr<Machine>& machine = launcher->machine();
  if (!machine.ok()) return machine.status();
  const ExperimentOptions experiment = MakeExperimentOptions(flags.options, {});
  SuiteHeader header;
  header.lines = HeaderLines(*machine, experiment, flags.budget, duets);
  header.json_context = ContextEntries(*machine, experiment);
  if (programs.has_value()) {
    AddPrograms(*programs, &header);
  }
  AddLayout(flags, experiment, programs, launcher, &header);
  AddCalledForEachSample(specs, &header);
  if (!flags.options.dry_run) AddUnoptimized(specs, &header);
  const EventSurvey& survey = launcher->Survey(EventNames(flags, specs));
  if (flags.require_counters && !survey.missing.empty()) {
    return absl::UnavailableError(absl::StrCat("--duet_require_counters: ",
                                               absl::StrJoin(MissingLines(survey.missing), "\n")));
  }
  for (const GateSpec& gate : flags.options.gates) {
    for (const MissingEvent& missing : survey.missing) {
      if (missing.name != gate.metric.counter) continue;
      return absl::UnavailableError(absl::StrCat("--duet_max_counter_ratio: a gate on ",
                                                 gate.metric.counter, ": ",
                                                 MissingLines({missing}).front()));
    }
  }
  for (const std::string& line : CounterHeaderLines(survey)) {
    header.lines.push_back(absl::StrCat("duetbench: ", line));
  }
  return header;
}

}  // namespace duetbench
