#include "duetbench/main/suite_header.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/api/option_table.h"
#include "duetbench/experiment/duet_request.h"
#include "duetbench/experiment/report_head.h"
#include "duetbench/platform/survey.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/printable.h"

namespace duetbench {
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
  const auto called = std::count_if(specs.begin(), specs.end(), [](const DuetSpec* spec) {
    const auto& variants = spec->functions.variants;
    return variants[0]->is_called_for_each_sample() || variants[1]->is_called_for_each_sample();
  });
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
    const std::string why_linked = programs.has_value()
                                       ? programs->why_linked
                                       : std::string(launcher->executable().status().message());
    if (!why_linked.empty()) {
      header->lines.push_back(absl::StrCat(
          "duetbench: functions lie where they are linked, in all runs: ", Printable(why_linked)));
    }
    is_random = programs.has_value() ? programs->have_layouts : why_linked.empty();
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
