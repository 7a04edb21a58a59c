#include "duetbench/experiment/launcher.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/code_layout/executable_file.h"
#include "duetbench/code_layout/shared_libraries.h"
#include "duetbench/experiment/explaining_runs.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/experiment/report_tool.h"
#include "duetbench/measure/duet_run.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/crash_report.h"
#include "duetbench/platform/environment.h"
#include "duetbench/platform/random.h"
#include "duetbench/platform/thread.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/record/schedule.h"
#include "duetbench/report/text.h"
#include "duetbench/variant/variant.h"

namespace duetbench {
namespace {

// The link in /proc is right even if the file has been replaced in the meantime.
constexpr char kThisProgram[] = "/proc/self/exe";

// Why runs of this program cannot be copies of it; empty: they can.
std::string ObstacleToCopies() {
  if (HasSanitizer()) return "a sanitizer reports functions where they are linked";
  if (IsUnderValgrind()) return "valgrind executes this program";
  if (IsTraced()) return "a debugger or tracer is attached";
  return "";
}

// The code of each variant: its function, and the functions of its type.
std::vector<std::vector<uint64_t>> CodeOfVariants(const DuetFunctions& functions) {
  std::vector<std::vector<uint64_t>> code;
  for (const auto& variant : functions.variants) {
    code.push_back({AddressInThisExecutable(variant->address()),
                    AddressInThisExecutable(VirtualTableOf(*variant))});
  }
  return code;
}

// The variant of a process of a run, among all that are compared.
size_t VariantOf(const ExperimentRequest& request, const RunPlan& plan, int side) {
  const VariantPair& pair = request.pair;
  return static_cast<size_t>(IsGroup(plan) ? side
                             : side == 0   ? pair.old_variant
                                           : pair.new_variant);
}

// Stacks in copies as stacks in the files that were copied.
void MoveStacksBack(const ExperimentRequest& request, const RunPlan& plan, uint32_t layout,
                    absl::Span<const Descriptor> copies, RunResult* result) {
  for (int v = 0; v < 2; ++v) {
    const size_t program = request.programs != nullptr ? VariantOf(request, plan, v) : 0;
    for (CountedStacks& stacks : result->stacks[v]) {
      std::vector<std::pair<size_t, uint64_t*>> addresses;
      for (CountedStack& stack : stacks.stacks) {
        for (CodePlace& place : stack.places) addresses.emplace_back(place.file, &place.address);
      }
      request.layouts->ToOriginal(program, request.layout_seed, layout, copies, &stacks.files,
                                  addresses);
    }
  }
}

// The task of its run with `plan`.
RunTask TaskOf(const ExperimentRequest& request, const RunPlan& plan) {
  RunTask task;
  task.parent = getpid();
  task.ranges = request.functions.ranges;
  task.plan = plan;
  task.plan.in_processes = request.options.isolation == Isolation::kThread ? 0 : 1;
  return task;
}

// The process of a run, or those of its variants. `copies` are the executables of the layouts for
// this run; empty: they are started as they are linked.
std::vector<RunCommand> CommandsOf(const ExperimentRequest& request, const RunTask& task,
                                   bool in_one_process, absl::Span<const Descriptor> copies = {}) {
  const int sides = in_one_process ? 1 : static_cast<int>(task.plan.variants);
  std::vector<RunCommand> commands;
  for (int side = 0; side < sides; ++side) {
    const ComparedPrograms* const programs = request.programs.get();
    const size_t variant = VariantOf(request, task.plan, side);
    RunCommand& command =
        commands.emplace_back(programs != nullptr ? programs->sides[variant] : request.command);
    command.serve = nullptr;
    if (programs == nullptr) command.executes = std::min(side, 1);
    if (copies.empty()) continue;
    const size_t program = programs != nullptr ? variant : 0;
    command.executable = PathOfDescriptor(copies[program].get());
    std::string loaded = request.layouts->LoadedLibraries(program, copies);
    if (!loaded.empty())
      command.environment.emplace_back(kLoadedLibrariesVariable, std::move(loaded));
  }
  return commands;
}

// The run has no result, for another reason than that nobody wants one.
bool HasFailed(const absl::StatusOr<RunOfPairs>& launched) {
  if (!launched.ok()) return true;
  const RunError& error = launched->front().error;
  return !launched->front().was_ended() && !error.cause.empty() && !error.skipped;
}

}  // namespace

Launcher::Launcher(std::vector<std::string> command_line, std::string cpus, std::string pairs_path,
                   bool locks_cpus)
    : command_line_(std::move(command_line)),
      cpus_(std::move(cpus)),
      pairs_path_(std::move(pairs_path)),
      locks_cpus_(locks_cpus) {}

void Launcher::LockCpus(const CpuPairChoice& choice) {
  if (!locks_cpus_) return;
  const auto tell = [] {
    std::fputs(
        "duetbench: waits for another program that measures on the same CPUs (--duet_lock=off: "
        "does not wait)\n",
        stderr);
  };
  cpu_lock_ = CpuLock::Acquire({choice.cpus[0], choice.cpus[1]}, tell, InterruptSignal());
}

const absl::StatusOr<Machine>& Launcher::machine() {
  if (!machine_.has_value()) {
    RandomizeLayoutOfRuns();
    machine_ = InspectMachine(cpus_);
    if (machine_->ok()) LockCpus((*machine_)->cpus);
  }
  return *machine_;
}

const EventSurvey& Launcher::Survey(const std::vector<std::string>& names) {
  const auto [it, is_new] = surveys_.try_emplace(names);
  if (is_new && !names.empty()) it->second = SurveyAllEvents(names);
  return it->second;
}

const absl::StatusOr<std::shared_ptr<const Executable>>& Launcher::executable() {
  if (!executable_.has_value()) {
    const std::string obstacle = ObstacleToCopies();
    executable_ = obstacle.empty() ? Executable::Read(kThisProgram, "", MappedFiles())
                                   : absl::FailedPreconditionError(obstacle);
  }
  return *executable_;
}

const std::map<std::string, std::string>& Launcher::marks() {
  if (!marks_.has_value()) {
    marks_.emplace();
    const std::string program = PathOfThisProgram();
    for (const std::string& file : MappedFiles()) {
      if (file != program) marks_->emplace(file, MarkOfFile(file));
    }
  }
  return *marks_;
}

std::shared_ptr<const CodeLayouts> Launcher::LayoutsOf(const ExperimentRequest& request) {
  const ExperimentOptions& options = request.options;
  if (options.layout == CodeLayout::kLinked || options.dry_run || options.runs == 1) return nullptr;
  if (request.programs != nullptr) return request.programs->layouts;
  if (ForksRuns(request) || !executable().ok()) return nullptr;
  return CodeLayouts::OfVariants(*executable(), CodeOfVariants(request.functions));
}

bool Launcher::ForksRuns(const ExperimentRequest& request) const {
  const ExperimentOptions& options = request.options;
  const bool is_wanted = options.isolation == Isolation::kOnce || options.runs == 1 ||
                         (is_start_expensive_ && !options.isolation.is_set());
  return is_wanted && request.programs == nullptr && CanForkLoops();
}

void Launcher::MeasureAsLinked(const std::string& reason) {
  as_linked_ = true;
  progress_.Clear();
  std::fprintf(stderr, "duetbench: from here on functions lie where they are linked: %s\n",
               Printable(reason).c_str());
}

absl::StatusOr<RunOfPairs> Launcher::LaunchElsewhereOrLinked(const ExperimentRequest& request,
                                                             const RunTask& task, uint32_t layout) {
  const ComparedPrograms* const programs = request.programs.get();
  // Return values can be compared in one process only.
  const bool in_one_process =
      programs == nullptr &&
      (request.options.isolation != Isolation::kProcess || task.plan.check_equal != 0);
  const auto launch = [&](absl::Span<const Descriptor> copies) {
    if (programs != nullptr && programs->launch != nullptr)
      return programs->launch(task.plan, copies);
    const auto make_next = [&](absl::Span<const pid_t> processes) {
      if (copies_.is_next_due()) ExecuteBeside(processes[0], [&] { copies_.MakeNext(); });
    };
    return LaunchRun(CommandsOf(request, task, in_one_process, copies), task, InterruptSignal(),
                     make_next);
  };
  if (request.options.isolation == Isolation::kOnce && programs == nullptr) {
    return absl::FailedPreconditionError(
        "--duet_isolation=once forks the program where its benchmarks begin, and it has threads "
        "there: start them in the variants, or after the fork (pthread_atfork)");
  }
  if (request.layouts == nullptr || as_linked_) return launch({});
  const RunPlan& plan = task.plan;
  const absl::StatusOr<CodeLayouts::Copies> copies =
      copies_.Take(request.layouts, request.layout_seed, layout);
  if (!copies.ok()) {
    MeasureAsLinked(std::string(copies.status().message()));
    return launch({});
  }
  absl::StatusOr<RunOfPairs> launched = launch(**copies);
  if (!HasFailed(launched)) {
    launched->front().layout = request.layouts->LayoutOf(layout);
    MoveStacksBack(request, plan, layout, **copies, &launched->front());
    return launched;
  }
  absl::StatusOr<RunOfPairs> linked = launch({});
  if (!HasFailed(linked)) {
    MeasureAsLinked(absl::StrCat(
        "run ", layout, " failed elsewhere (seed ", request.layout_seed, "): ",
        launched.ok() ? launched->front().error.cause : std::string(launched.status().message())));
  }
  return linked;
}

void Launcher::LookAtStart(const ExperimentRequest& request, const RunOfPairs& launched) {
  start_ns_.push_back(launched.front().process_ns - launched.front().wall_ns);
  // The first one may be slow because files were not in memory.
  if (start_ns_.size() != 2) return;
  const double start_ns = std::min(start_ns_[0], start_ns_[1]);
  is_start_expensive_ = start_ns > kMeasuringPolicy.expensive_start_ns;
  if (!ForksRuns(request)) return;
  progress_.Clear();
  std::fprintf(stderr,
               "duetbench: a start of this program takes %.2g s: further runs are forks of one "
               "start, with one code layout (--duet_isolation=fork: a start for each)\n",
               start_ns * 1e-9);
}

absl::StatusOr<std::vector<CallgrindFile>> Launcher::CountInstructions(
    absl::Span<const ExperimentRequest> duets, const RunPlan& plan, double time_ns,
    double longest_ns) {
  RunTask task = TaskOf(duets[0], plan);
  task.plan.variants = 2;
  std::vector<RunCommand> commands;
  // Each variant once: the duets with the base are first, ->Fastest may have added others.
  for (const ExperimentRequest& duet : duets.first(plan.variants - 1)) {
    if (duet.programs != nullptr && duet.programs->launch != nullptr) {
      return absl::UnavailableError("only programs that link duetbench count instructions");
    }
    std::vector<RunCommand> of_duet = CommandsOf(duet, task, false);
    if (commands.empty()) commands.push_back(std::move(of_duet[0]));
    commands.push_back(std::move(of_duet[1]));
  }
  return duetbench::CountInstructions(std::move(commands), task, time_ns, longest_ns);
}

absl::StatusOr<RunOfPairs> Launcher::Launch(const ExperimentRequest& request, const RunPlan& plan,
                                            uint32_t layout) {
  const RunTask task = TaskOf(request, plan);
  // Before the first run: the marks are of what it executes.
  const std::map<std::string, std::string>& marks =
      request.programs != nullptr ? request.programs->marks : this->marks();
  const bool is_fork = ForksRuns(request);
  absl::StatusOr<RunOfPairs> launched = is_fork
                                            ? LaunchRun({request.command}, task, InterruptSignal())
                                            : LaunchElsewhereOrLinked(request, task, layout);
  if (!launched.ok()) return launched;
  std::fputs(launched->front().output.c_str(), stderr);
  const bool is_whole = !HasFailed(launched) && !launched->front().was_ended();
  if (!is_fork && is_whole) LookAtStart(request, *launched);
  // That the run failed may be a consequence.
  if (const absl::Status same = CheckMarks(marks); !same.ok()) return same;
  return launched;
}

absl::StatusOr<std::unique_ptr<LaunchedExperiment>> Launcher::Begin(ExperimentRequest request) {
  const absl::StatusOr<Machine>& machine = this->machine();
  if (!machine.ok()) return machine.status();
  request.layouts = LayoutsOf(request);
  if (const absl::Status opened = OpenPairsFile(); !opened.ok()) return opened;
  request.options.schedule = PossibleSchedule(request.options.schedule, *machine);
  request.options.min_time = MinTimeOf(request.options);
  const uint64_t suite_seed = request.options.seed;
  request.options.seed =
      suite_seed + HashOfText(absl::StrCat(request.name, "#", request.repetition));
  request.layout_seed = request.programs != nullptr ? suite_seed : request.options.seed;
  return std::make_unique<LaunchedExperiment>(std::move(request), *machine);
}

absl::Status Launcher::AddCounts(const RunPlan& plan, LaunchedExperiment* experiment,
                                 RunOfPairs* run) {
  const ExperimentRequest& request = experiment->request;
  const std::vector<std::string>& events = request.callgrind_events;
  if (events.empty() || run->front().pairs.empty()) return absl::OkStatus();
  if (!experiment->counts.has_value()) {
    experiment->counts.emplace();
    const double time_ns = run->front().sample_ns / static_cast<double>(run->front().batch);
    const auto files =
        CountInstructions(request.duets.empty() ? absl::MakeConstSpan(&request, 1) : request.duets,
                          plan, time_ns, kMeasuringPolicy.longest_gated_ns);
    const auto counted = files.ok() ? CountsOf(*files) : files.status();
    if (counted.ok()) {
      experiment->counts = *counted;
    } else if (request.requires_callgrind) {
      return counted.status();
    } else {
      progress_.Clear();
      std::fprintf(stderr, "duetbench: %s: not counted: %s: %s\n", Printable(request.name).c_str(),
                   absl::StrJoin(events, ", ").c_str(),
                   Printable(std::string(counted.status().message())).c_str());
    }
  }
  AddCallgrindEvents(*experiment->counts, events, run);
  return absl::OkStatus();
}

bool Launcher::LaunchNext(LaunchedExperiment* launched, double most_s) {
  const RunPlan* const planned = launched->experiment.Next();
  if (planned == nullptr) return false;
  RunPlan plan = *planned;
  plan.is_limited = launched->experiment.done() == 0 && most_s * 1e9 < plan.timeout_ns;
  if (plan.is_limited) plan.timeout_ns = most_s * 1e9;
  const ExperimentRequest& request = launched->request;
  const bool shares_copies = request.programs != nullptr && request.layouts != nullptr;
  // A run with long calls and that with short ones have the same number, and the same layout.
  if (shares_copies && launched->run != plan.run) {
    const uint32_t next = launched->run.has_value() ? launched->layout + 1 : 0;
    launched->layout = request.layouts->NextRunWithCopies(next);
    launched->run = plan.run;
  }
  absl::StatusOr<RunOfPairs> run =
      Launch(request, plan, shares_copies ? launched->layout : plan.run);
  const bool is_whole = run.ok() && !run->front().was_ended();
  absl::Status counted = is_whole ? AddCounts(plan, launched, &*run) : absl::OkStatus();
  launched->experiment.Take(counted.ok() ? std::move(run) : std::move(counted));
  return launched->experiment.Next() != nullptr;
}

Explanation Launcher::Explain(const ExperimentRequest& request, const RunPlan& plan,
                              const Comparison& comparison, bool with_code) {
  if (request.programs != nullptr && request.programs->launch != nullptr) {
    return NotExplained("only programs that link duetbench record stacks");
  }
  if (const auto tool = FindReportTool(); !tool.ok()) {
    return NotExplained(std::string(tool.status().message()));
  }
  RunPlan recording = plan;
  recording.variants = 2;  // a group has one, too
  recording.budget_ns = kMeasuringPolicy.explaining_run_ns;
  recording.stack_interval_ns = kMeasuringPolicy.stack_interval_ns;
  std::vector<RunResult> results;
  for (int run = 0; run < kMeasuringPolicy.explaining_runs; ++run) {
    ++recording.run;
    absl::StatusOr<RunOfPairs> launched = Launch(request, recording, recording.run);
    if (launched.ok() && launched->front().interrupted) return {};
    const std::string error =
        launched.ok() ? launched->front().error.cause : std::string(launched.status().message());
    if (!error.empty()) return NotExplained(error);
    results.push_back(std::move(launched->front()));
  }
  return ExplainByRuns(
      std::move(results), request.options, machine()->ns_per_tick, comparison, with_code,
      [&] {
        return CountInstructions(absl::MakeConstSpan(&request, 1), recording,
                                 std::max(comparison.time_ns[0], comparison.time_ns[1]),
                                 kMeasuringPolicy.longest_counted_ns);
      },
      RunReportTool);
}

void Launcher::Record(const std::string& name, const Comparison& comparison) {
  if (machine().ok()) pairs_file_.Append(name, comparison, machine()->ns_per_tick);
}

Comparison Launcher::Measure(ExperimentRequest request) {
  absl::StatusOr<std::unique_ptr<LaunchedExperiment>> launched = Begin(std::move(request));
  if (!launched.ok()) return FailedComparison(std::string(launched.status().message()));
  const std::string& name = (*launched)->request.name;
  const InterruptGuard guard;
  Experiment& experiment = (*launched)->experiment;
  while (experiment.Next() != nullptr) {
    if (experiment.HasProgress()) {
      progress_.Show(name, experiment.done(), experiment.runs(), experiment.SecondsLeft());
    }
    LaunchNext(launched->get());
  }
  progress_.Clear();
  Comparison comparison = std::move(experiment.Finish().front());
  Record(name, comparison);
  return comparison;
}

bool Launcher::interrupted() { return *InterruptSignal() != 0; }

}  // namespace duetbench
