#include "duetbench/experiment/duet_measurer.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "duetbench/google_benchmark/registered_benchmarks.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/record/amount.h"
#include "duetbench/report/printable.h"

namespace duetbench {

void WithFunctions(const DuetSpec& spec, const std::vector<int64_t>& ranges,
                   benchmark::MemoryManager* memory_manager,
                   const std::function<void(const DuetFunctions&)>& body) {
  DuetFunctions functions = spec.functions;
  functions.ranges = ranges;
  functions.name = spec.name;
  functions.memory_manager = memory_manager;
  if (!spec.needs_google_benchmark_state && !spec.set_up && !spec.tear_down) {
    body(functions);
    return;
  }
  CallWithBorrowedState(ranges, [&](const benchmark::State& state) {
    functions.google_benchmark_state = &state;
    if (spec.set_up) functions.set_up = [&] { (*spec.set_up)(state); };
    if (spec.tear_down) functions.tear_down = [&] { (*spec.tear_down)(state); };
    body(functions);
  });
}

std::string ShortName(const DuetInstance& instance) {
  std::string name = Printable(instance.spec->name);
  if (instance.spec->programs != nullptr) return name;  // with arguments
  for (const int64_t range : instance.ranges) absl::StrAppend(&name, "/", range);
  return name;
}

DuetMeasurer::DuetMeasurer(const DuetSettings& settings, ExperimentHost* host)
    : settings_(settings), host_(*host), registered_(RegisteredDuets()) {}

ExperimentOptions DuetMeasurer::OptionsFor(const DuetTask& task) const {
  const DuetSpec& spec = *task.instance->spec;
  ExperimentOptions options = OptionsOf(spec, settings_.flags);
  options.threads = spec.threads;
  if (settings_.budget_of_each > 0 && options.runs == 0 && !options.dry_run) {
    options.min_time = std::min(options.min_time.value(), settings_.budget_of_each);
    options.max_time = settings_.flags.budget;
    options.until_verdict = true;
  }
  for (const auto& variant : spec.functions.variants) {
    if (variant->is_called_for_each_sample()) options.calls = true;
  }
  if (!task.group.empty()) {
    for (const auto& variant : spec.functions.group) {
      if (variant->is_called_for_each_sample()) options.calls = true;
    }
    const auto variants = static_cast<int>(spec.functions.group.size());
    options.variants = variants;
    // As long as the comparisons with the base would take one by one, and never shorter.
    options.min_time = options.min_time * (variants - 1);
    options.until_verdict = false;
    options.gates.clear();  // each duet has its own
  }
  if (spec.programs != nullptr && spec.programs->launch != nullptr) {
    options.executions = true;
    options.calls = true;
  }
  return options;
}

bool DuetMeasurer::IsExplained(const Comparison& comparison) const {
  const WhenExplained when = settings_.flags.explain;
  const Estimate* const estimate = comparison.estimate();
  if (when == WhenExplained::kNever || estimate == nullptr) return false;
  // A difference that may be none, and one that is too small to matter, have no explanation.
  if (estimate->verdict != stats::Verdict::kFaster &&
      estimate->verdict != stats::Verdict::kSlower) {
    return false;
  }
  const GateResult* const gate = estimate->time_gate();
  return when != WhenExplained::kFailedGates ||
         (gate != nullptr && gate->outcome == GateStatus::kFail);
}

bool DuetMeasurer::ReportsPairs() const {
  return !settings_.flags.report.empty() || !settings_.flags.out.empty();
}

bool DuetMeasurer::IsUnchanged(const DuetTask& task) const {
  const DuetSpec& spec = *task.instance->spec;
  const Flags& flags = settings_.flags;
  return spec.programs != nullptr && spec.programs->are_same && !flags.measure_unchanged &&
         !OptionsOf(spec, flags).dry_run;
}

absl::StatusOr<ExperimentRequest> DuetMeasurer::RequestFor(const DuetTask& task) {
  const DuetSpec& spec = *task.instance->spec;
  if (!spec.error.empty()) return absl::FailedPreconditionError(spec.error);
  ExperimentRequest request;
  request.options = OptionsFor(task);
  const EventSurvey& survey = host_.Survey(EventNames(settings_.flags, {&spec}));
  if (settings_.flags.require_counters && !survey.missing.empty()) {
    return absl::UnavailableError(MissingLines(survey.missing).front());
  }
  // Those of a group are its duets'.
  const std::vector<GateSpec> gates = OptionsOf(spec, settings_.flags).gates;
  const std::string uncounted = WhyNotCounted(spec, gates, survey);
  if (!uncounted.empty()) return absl::UnavailableError(uncounted);
  if (!request.options.dry_run) {
    request.options.events = survey.events;
    request.callgrind_events = survey.by_callgrind;
    request.requires_callgrind = settings_.flags.require_counters ||
                                 std::any_of(gates.begin(), gates.end(), [](const GateSpec& gate) {
                                   return IsCallgrindEvent(gate.metric.counter);
                                 });
  }
  request.name = task.name;
  request.command.argv = host_.command_line();
  request.command.environment = {{kDuetVariable, spec.name}};
  request.command.family = static_cast<int>(
      std::find(registered_.begin(), registered_.end(), &spec) - registered_.begin());
  request.command.serve = [&spec, memory_manager = settings_.memory_manager](const RunTask& run,
                                                                             int result_fd) {
    WithFunctions(spec, run.ranges, memory_manager,
                  [&](const DuetFunctions& functions) { ServeRun(run, functions, result_fd); });
  };
  request.functions = spec.functions;
  request.functions.ranges = task.instance->ranges;
  request.programs = spec.programs;
  if (task.group.empty()) return request;
  request.group = spec.group->programs;
  request.questions.names = spec.group->names;
  for (const DuetInstance* const instance : task.group) {
    absl::StatusOr<ExperimentRequest> duet = RequestFor({instance, ShortName(*instance)});
    if (!duet.ok()) return duet.status();
    request.questions.questions.push_back({instance->spec->pair, duet->options.gates});
    request.duets.push_back(*std::move(duet));
  }
  return request;
}

Explanation DuetMeasurer::Explain(const ExperimentRequest& request, const RunPlan& plan,
                                  const Estimate& estimate) {
  return host_.Explain(request, plan, estimate,
                       settings_.flags.explain == WhenExplained::kWithCode);
}

std::string DuetMeasurer::WhyNotCounted(const DuetSpec& spec, const std::vector<GateSpec>& gates,
                                        const EventSurvey& survey) const {
  for (const GateSpec& gate : gates) {
    const std::string& counter = gate.metric.counter;
    const bool needs_manager = counter == "ALLOCATIONS" || counter == kPeakHeap;
    if (needs_manager && settings_.memory_manager == nullptr && spec.programs == nullptr) {
      return absl::StrCat("a gate on ", counter,
                          " needs a memory manager that counts: call "
                          "duetbench::RegisterMemoryManager");
    }
    for (const MissingEvent& missing : survey.missing) {
      if (missing.name != counter) continue;
      return absl::StrCat("a gate on ", counter, ": ", MissingLines({missing}).front());
    }
  }
  return "";
}

}  // namespace duetbench
