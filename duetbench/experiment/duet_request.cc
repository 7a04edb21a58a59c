#include "duetbench/experiment/duet_request.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/decide/gate.h"
#include "duetbench/experiment/course.h"
#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/platform/survey.h"
#include "duetbench/record/run_result.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

// Executes a run of `spec` and ends the process: with a State of Google Benchmark around it if its
// callbacks or its variants take one.
void Serve(const DuetSpec& spec, const RunTask& run, int result_fd) {
  DuetFunctions functions = FunctionsOf(spec, run.plan.variants);
  functions.ranges = run.ranges;
  functions.name = spec.name;
  functions.memory_manager = RegisteredMemoryManager();
  if (!spec.needs_google_benchmark_state && !spec.set_up && !spec.tear_down) {
    ServeRun(run, functions, result_fd);
  }
  CallWithBorrowedState(run.ranges, [&](const benchmark::State& state) {
    functions.google_benchmark_state = &state;
    if (spec.set_up) functions.set_up = [&] { (*spec.set_up)(state); };
    if (spec.tear_down) functions.tear_down = [&] { (*spec.tear_down)(state); };
    ServeRun(run, functions, result_fd);
  });
}

// Why one of `gates` cannot be measured; empty if each can.
std::string WhyNotCounted(const DuetSpec& spec, const std::vector<GateSpec>& gates,
                          const EventSurvey& survey) {
  for (const GateSpec& gate : gates) {
    const std::string& counter = gate.metric.counter;
    const bool needs_manager = counter == "ALLOCATIONS" || counter == kPeakHeap;
    if (needs_manager && RegisteredMemoryManager() == nullptr && spec.programs == nullptr) {
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

// The process of a run of the duet.
RunCommand CommandFor(const DuetSpec& spec, const std::vector<std::string>& command_line) {
  const std::vector<const DuetSpec*> registered = RegisteredDuets();
  RunCommand command;
  command.argv = command_line;
  command.environment = {{kDuetVariable, spec.name}};
  command.family =
      static_cast<int>(std::find(registered.begin(), registered.end(), &spec) - registered.begin());
  command.serve = [&spec](const RunTask& run, int result_fd) { Serve(spec, run, result_fd); };
  return command;
}

}  // namespace

bool HasCalls(const DuetSpec& spec) {
  const auto& variants = spec.functions.variants;
  return std::any_of(variants.begin(), variants.end(),
                     [](const auto& variant) { return variant->is_called_for_each_sample(); });
}

ExperimentOptions OptionsOf(const DuetSpec& spec, const Flags& flags) {
  return MakeExperimentOptions(flags.options, spec.options);
}

ExperimentOptions ExperimentOptionsOf(const DuetsOfRuns& duets, const Flags& flags) {
  const DuetSpec& spec = *duets.front()->spec;
  ExperimentOptions options = OptionsOf(spec, flags);
  options.threads = spec.threads;
  if (flags.budget_of_each > 0 && options.runs == 0 && !options.dry_run) {
    options.min_time = std::min(options.min_time.value(), flags.budget_of_each);
    options.max_time = flags.budget;
    options.until_verdict = true;
  }
  if (HasCalls(spec)) options.calls = true;
  if (duets.size() > 1) {
    options.variants = static_cast<int>(spec.functions.variants.size());
    // As long as the comparisons with the base would take one by one, and never shorter.
    options.min_time = options.min_time * (options.variants - 1);
    options.until_verdict = false;
    options.gates.clear();  // each duet has its own
  }
  if (spec.programs != nullptr && spec.programs->launch != nullptr) {
    options.executions = true;
    options.takes_seconds = spec.programs->takes_seconds;
    options.calls = true;
  }
  return options;
}

absl::StatusOr<ExperimentRequest> RequestFor(const DuetsOfRuns& duets, const Flags& flags,
                                             Launcher* launcher) {
  const DuetInstance& instance = *duets.front();
  const DuetSpec& spec = *instance.spec;
  if (!spec.error.empty()) return absl::FailedPreconditionError(spec.error);
  ExperimentRequest request;
  request.options = ExperimentOptionsOf(duets, flags);
  if (request.options.schedule == Schedule::kSliced && !HasCpuTimes(request.options)) {
    return absl::InvalidArgumentError(
        "the schedule 'sliced' compares times on the CPU, which programs that are executed as they "
        "are and UseManualTime() do not report: choose another one");
  }
  const EventSurvey& survey = launcher->Survey(EventNames(flags, {&spec}));
  // Those of a group are its duets'.
  const std::vector<GateSpec> gates = OptionsOf(spec, flags).gates;
  const std::string uncounted = WhyNotCounted(spec, gates, survey);
  if (!uncounted.empty()) return absl::UnavailableError(uncounted);
  if (!request.options.dry_run) {
    request.options.events = survey.events;
    request.callgrind_events = survey.by_callgrind;
    request.requires_callgrind =
        flags.require_counters || std::any_of(gates.begin(), gates.end(), [](const auto& gate) {
          return IsCallgrindEvent(gate.metric.counter);
        });
  }
  request.name = ShortName(instance);
  request.command = CommandFor(spec, launcher->command_line());
  request.functions = FunctionsOf(spec, static_cast<size_t>(request.options.variants));
  request.functions.ranges = instance.ranges;
  request.programs = spec.programs;
  request.pair = spec.pair;
  if (duets.size() == 1) return request;
  request.questions.names = spec.group->names;
  for (const DuetInstance* const each : duets) {
    absl::StatusOr<ExperimentRequest> duet = RequestFor({each}, flags, launcher);
    if (!duet.ok()) return duet.status();
    request.questions.questions.push_back({each->spec->pair, duet->options.gates});
    request.duets.push_back(*std::move(duet));
  }
  return request;
}

std::string ShortName(const DuetInstance& instance) {
  std::string name = Printable(instance.spec->name);
  if (instance.spec->programs != nullptr) return name;  // with arguments
  for (const int64_t range : instance.ranges) absl::StrAppend(&name, "/", range);
  return name;
}

std::vector<std::string> EventNames(const Flags& flags, const std::vector<const DuetSpec*>& specs) {
  std::vector<std::string> names = SplitEventNames(flags.perf_counters);
  const auto add = [&names](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  const auto add_gates = [&add](const std::vector<GateSpec>& gates) {
    for (const GateSpec& gate : gates) {
      if (NeedsEvent(gate.metric)) add(gate.metric.counter);
    }
  };
  add_gates(flags.options.gates);
  for (const DuetSpec* spec : specs) {
    for (const std::string& name : spec->counter_names) add(name);
    add_gates(spec->options.gates);
  }
  return names;
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

double MaxSeconds(const ExperimentOptions& options) {
  // The machines of continuous integration are slow.
  constexpr double kSlowness = 10;
  // A run that is stuck reports it after the time-out of one run; the second one is for what
  // happened before it.
  constexpr double kRunTimeouts = 2;
  const double seconds = !options.gates.empty() && options.runs == 0
                             ? std::max(options.min_time.value(), MaxTime(options))
                             : options.min_time;
  return kSlowness * seconds + kRunTimeouts * options.timeout;
}

std::vector<size_t> WithSameRuns(size_t number, const std::vector<DuetInstance>& instances,
                                 const Flags& flags) {
  const DuetInstance& instance = instances[number];
  const std::shared_ptr<const DuetGroup>& group = instance.spec->group;
  if (group == nullptr) return {number};
  const ExperimentOptions options = OptionsOf(*instance.spec, flags);
  const bool is_of_pairs = options.dry_run || options.runs == 1 || options.fixed_iterations > 0 ||
                           options.isolation == Isolation::kThread ||
                           options.isolation == Isolation::kProcess ||
                           HasCpusForThreads(options.cpus_per_variant) ||
                           RunsConcurrently(options.schedule.value_or(Schedule::kAlternating));
  if (is_of_pairs) return {number};
  std::vector<size_t> together;
  size_t with_base = 0;
  for (size_t i = 0; i < instances.size(); ++i) {
    if (instances[i].spec->group != group || instances[i].ranges != instance.ranges) continue;
    together.push_back(i);
    with_base += instances[i].spec->pair.old_variant == 0 ? 1 : 0;
  }
  return with_base + 1 == group->names.size() ? together : std::vector<size_t>{number};
}

void ServeAssignedRun(const AssignedRun& run) {
  std::vector<const DuetSpec*> specs = RegisteredDuets();
  if (run.task.family >= static_cast<int>(specs.size())) {
    const std::vector<const DuetSpec*> ordinary = OrdinaryBenchmarks();
    specs.insert(specs.end(), ordinary.begin(), ordinary.end());
  }
  const char* const name = std::getenv(kDuetVariable);
  const auto family = static_cast<size_t>(run.task.family);
  if (name != nullptr && family < specs.size() && specs[family]->name == name) {
    Serve(*specs[family], run.task, run.result_fd);
  }
  std::fprintf(stderr,
               "duetbench: this process did not find the benchmark it was started for; are duet "
               "benchmarks registered in the same order in every process?\n");
  std::exit(kExitError);
}

}  // namespace duetbench
