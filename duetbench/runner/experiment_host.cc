#include "duetbench/runner/experiment_host.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "duetbench/counters/survey.h"
#include "duetbench/experiment/experiment.h"
#include "duetbench/explain/code_names.h"
#include "duetbench/plan/measuring_policy.h"
#include "duetbench/platform/hash.h"
#include "duetbench/platform/text_file.h"
#include "duetbench/process/executable.h"
#include "duetbench/process/exit_status.h"
#include "duetbench/process/watchdog.h"
#include "duetbench/report/printable.h"
#include "duetbench/run/this_process.h"
#include "duetbench/runner/explaining_runs.h"
#include "duetbench/runner/instruction_run.h"
#include "duetbench/runner/interrupt.h"

namespace duetbench {
ExperimentHost::ExperimentHost(std::vector<std::string> command_line, std::string cpus,
                               std::string pairs_path, bool locks_cpus)
    : command_line_(std::move(command_line)),
      cpus_(std::move(cpus)),
      pairs_path_(std::move(pairs_path)),
      locks_cpus_(locks_cpus) {}

void ExperimentHost::LockCpus(const CpuPairChoice& choice) {
  if (!locks_cpus_) return;
  cpu_lock_.reset();
  const auto tell = [](pid_t holder) {
    const std::string name = ReadTextFile(absl::StrCat("/proc/", holder, "/comm")).value_or("?");
    std::fprintf(stderr,
                 "duetbench: waits for process %d (%s), which measures on the same CPUs "
                 "(--duet_lock=off: does not wait)\n",
                 static_cast<int>(holder), Printable(name).c_str());
  };
  cpu_lock_ = CpuLock::Acquire({choice.cpus[0], choice.cpus[1]}, tell, InterruptSignal());
}

const absl::StatusOr<Machine>& ExperimentHost::machine() {
  if (!machine_.has_value()) {
    RandomizeLayoutOfRuns();
    machine_ = InspectMachine(cpus_, [this](const CpuPairChoice& choice) { LockCpus(choice); });
  }
  return *machine_;
}

const EventSurvey& ExperimentHost::Survey(const std::vector<std::string>& names) {
  const auto [it, is_new] = surveys_.try_emplace(names);
  if (is_new && !names.empty()) it->second = SurveyAllEvents(names);
  return it->second;
}

absl::Status ExperimentHost::OpenPairsFile() {
  if (pairs_path_.empty() || pairs_file_.has_value()) return absl::OkStatus();
  return pairs_file_.emplace().Open(pairs_path_);
}

const absl::StatusOr<std::vector<std::string>>& ExperimentHost::link_layouts() {
  if (!link_layouts_.has_value()) link_layouts_ = FindLinkLayouts(PathOfThisProgram());
  return *link_layouts_;
}

const std::map<std::string, std::string>& ExperimentHost::marks() {
  if (!marks_.has_value()) {
    marks_.emplace();
    std::vector<std::string> files = MappedFiles();
    const std::string program = PathOfThisProgram();
    if (link_layouts().ok()) {
      files.insert(files.end(), link_layouts()->begin(), link_layouts()->end());
    }
    for (const std::string& file : files) {
      if (file != program) marks_->emplace(file, MarkOfFile(file));
    }
  }
  return *marks_;
}

absl::Status ExperimentHost::SetLayouts(ExperimentRequest* request) {
  ComparisonOptions& options = request->options;
  const bool demanded = options.layouts > 0;
  if (options.layouts == 1 || options.runs == 1) {
    options.layouts = 1;
    return absl::OkStatus();
  }
  size_t available = 1;
  if (request->programs != nullptr) {
    available =
        std::min(request->programs->layouts[0].size(), request->programs->layouts[1].size());
    for (const auto& programs : request->group) {
      available = std::min(available, programs->layouts[1].size());
    }
    available = std::max<size_t>(1, available);
  } else if (link_layouts().ok()) {
    available = link_layouts()->size();
  } else if (demanded) {
    return link_layouts().status();
  }
  const auto wanted = static_cast<size_t>(options.layouts);
  if (demanded && wanted > available) {
    return absl::NotFoundError(absl::StrCat("--duet_layouts=", wanted, ": there are ", available,
                                            " link layouts of it; duet_target_layouts(TARGET ",
                                            wanted, ") in CMake links as many"));
  }
  options.layouts = static_cast<int>(demanded ? wanted : available);
  return absl::OkStatus();
}

std::vector<RunCommand> ExperimentHost::CommandsOf(const ExperimentRequest& request,
                                                   const RunTask& task, bool in_one_process) const {
  const bool has_layouts = link_layouts_.has_value() && link_layouts_->ok();
  return duetbench::CommandsOf(
      request, task, in_one_process,
      has_layouts ? absl::MakeConstSpan(**link_layouts_) : absl::Span<const std::string>());
}

absl::StatusOr<LaunchedRun> ExperimentHost::LaunchProcesses(const ExperimentRequest& request,
                                                            const RunTask& task) const {
  const TwoPrograms* const programs = request.programs.get();
  if (programs != nullptr && programs->launch != nullptr) return programs->launch(task.plan);
  // Return values can be compared in one process only.
  const bool in_one_process =
      programs == nullptr &&
      (request.options.isolation != Isolation::kProcess || task.plan.check_equal != 0);
  return LaunchRun(CommandsOf(request, task, in_one_process), task, InterruptSignal());
}

absl::StatusOr<std::vector<InstructionCounts>> ExperimentHost::CountInstructions(
    absl::Span<const ExperimentRequest> duets, const RunPlan& plan, double time_ns,
    double longest_ns) {
  RunTask task = TaskOf(duets[0], plan);
  task.plan.variants = 2;
  std::vector<RunCommand> commands;
  for (const ExperimentRequest& duet : duets) {
    if (duet.programs != nullptr && duet.programs->launch != nullptr) {
      return absl::UnavailableError("only programs that link duetbench count instructions");
    }
    std::vector<RunCommand> of_duet = CommandsOf(duet, task, false);
    if (commands.empty()) commands.push_back(std::move(of_duet[0]));
    commands.push_back(std::move(of_duet[1]));
  }
  return duetbench::CountInstructions(std::move(commands), task, time_ns, longest_ns);
}

absl::StatusOr<LaunchedRun> ExperimentHost::ExecuteHere(const ExperimentRequest& request,
                                                        RunPlan plan) {
  // The length of a run that calibrates itself is not foreseen.
  constexpr double kMargin = 2;
  constexpr std::chrono::seconds kGrace(5);
  if (has_stuck_run_) {
    return absl::FailedPreconditionError(kStuckBefore);
  }
  plan.timeout_ns = std::max(plan.timeout_ns, kMargin * plan.budget_ns);
  const std::chrono::nanoseconds limit(static_cast<int64_t>(plan.timeout_ns));
  // Setup, Teardown and the comparison of results are called on this thread.
  const Watchdog watchdog(limit + kGrace, [&] {
    std::fprintf(stderr,
                 "duetbench: %s: Setup, Teardown or the comparison of results did not end within "
                 "%g s (--duet_timeout); with --duet_runs=1 it is part of this process, which ends "
                 "here\n",
                 Printable(request.name).c_str(), plan.timeout_ns * 1e-9);
    _exit(kExitError);
  });
  LaunchedRun launched;
  launched.result = ExecuteRun(plan, request.functions, InterruptSignal());
  launched.interrupted = launched.result.stuck && interrupted();
  has_stuck_run_ = launched.result.stuck;
  return launched;
}

absl::StatusOr<LaunchedRun> ExperimentHost::Launch(const ExperimentRequest& request,
                                                   const RunPlan& plan) {
  if (request.options.runs == 1 && request.programs == nullptr) return ExecuteHere(request, plan);
  const RunTask task = TaskOf(request, plan);
  // Before the first run: the marks are of what it executes.
  const std::map<std::string, std::string>& marks =
      request.programs != nullptr ? request.programs->marks : this->marks();
  absl::StatusOr<LaunchedRun> launched = LaunchProcesses(request, task);
  // That the run failed may be a consequence.
  const absl::Status same = CheckMarks(marks);
  if (launched.ok() && !same.ok()) return same;
  return launched;
}

absl::StatusOr<std::unique_ptr<HostedComparison>> ExperimentHost::Begin(ExperimentRequest request) {
  const absl::StatusOr<Machine>& machine = this->machine();
  if (!machine.ok()) return machine.status();
  if (const absl::Status set = SetLayouts(&request); !set.ok()) return set;
  for (ExperimentRequest& duet : request.duets) duet.options.layouts = request.options.layouts;
  if (const absl::Status opened = OpenPairsFile(); !opened.ok()) return opened;
  request.options.schedule = PossibleSchedule(request.options.schedule, *machine);
  request.options.min_time = MinTimeOf(request.options);
  request.options.seed =
      request.options.seed + HashOfText(absl::StrCat(request.name, "#", request.repetition));
  return std::make_unique<HostedComparison>(std::move(request), *machine);
}

absl::Status ExperimentHost::CountByCallgrind(const RunPlan& plan, double time_ns,
                                              HostedComparison* comparison) {
  const ExperimentRequest& request = comparison->request;
  if (comparison->counts.has_value()) return absl::OkStatus();
  comparison->counts.emplace();
  const auto counted =
      CountInstructions(request.duets.empty() ? absl::MakeConstSpan(&request, 1) : request.duets,
                        plan, time_ns, kMeasuringPolicy.longest_gated_ns);
  if (counted.ok()) comparison->counts = *counted;
  if (counted.ok() || request.requires_callgrind) return counted.status();
  progress_.Clear();
  std::fprintf(stderr, "duetbench: %s: not counted: %s: %s\n", Printable(request.name).c_str(),
               absl::StrJoin(request.callgrind_events, ", ").c_str(),
               Printable(std::string(counted.status().message())).c_str());
  return absl::OkStatus();
}

absl::StatusOr<LaunchedRun> ExperimentHost::LaunchCounted(HostedComparison* comparison,
                                                          const RunPlan& plan) {
  const std::vector<std::string>& events = comparison->request.callgrind_events;
  absl::StatusOr<LaunchedRun> launched = Launch(comparison->request, plan);
  if (events.empty() || !launched.ok() || launched->result.pairs.empty()) return launched;
  const double time_ns = launched->result.sample_ns / static_cast<double>(launched->result.batch);
  if (const absl::Status counted = CountByCallgrind(plan, time_ns, comparison); !counted.ok()) {
    return counted;
  }
  AddCallgrindEvents(*comparison->counts, events, &*launched);
  return launched;
}

bool ExperimentHost::LaunchNext(HostedComparison* comparison) {
  Experiment& experiment = comparison->comparison.experiment();
  const RunPlan* const plan = experiment.Next();
  if (plan == nullptr) return false;
  experiment.Take(LaunchCounted(comparison, *plan));
  return experiment.Next() != nullptr;
}

Explanation ExperimentHost::Explain(const ExperimentRequest& request, const RunPlan& plan,
                                    const Estimate& estimate) {
  Explanation failed;
  if (request.programs != nullptr && request.programs->launch != nullptr) {
    failed.error = "only programs that link duetbench record stacks";
    return failed;
  }
  const absl::StatusOr<std::unique_ptr<CodeNames>> names = CodeNames::Load();
  if (!names.ok()) {
    failed.error = std::string(names.status().message());
    return failed;
  }
  RunPlan recording = plan;
  recording.variants = 2;  // a group has one, too
  recording.budget_ns = kMeasuringPolicy.explaining_run_ns;
  recording.stack_interval_ns = kMeasuringPolicy.stack_interval_ns;
  std::vector<RunResult> results;
  for (int run = 0; run < kMeasuringPolicy.explaining_runs; ++run) {
    ++recording.run;
    absl::StatusOr<LaunchedRun> launched = Launch(request, recording);
    if (launched.ok() && launched->interrupted) return failed;
    failed.error =
        launched.ok() ? launched->result.error.cause : std::string(launched.status().message());
    if (!failed.error.empty()) return failed;
    results.push_back(std::move(launched->result));
  }
  return ExplainByRuns(
      std::move(results), request.options, machine()->ns_per_tick, estimate, names->get(), [&] {
        return CountInstructions(absl::MakeConstSpan(&request, 1), recording,
                                 std::max(estimate.time_ns[0], estimate.time_ns[1]),
                                 kMeasuringPolicy.longest_counted_ns);
      });
}

void ExperimentHost::Record(const std::string& name, const Comparison& comparison) {
  // The measurement is reported even if it cannot be written there: CommitPairsFile tells.
  if (!pairs_file_.has_value() || !pairs_status_.ok() || !machine().ok()) return;
  pairs_status_ = pairs_file_->Append(name, comparison, machine()->ns_per_tick);
}

void ExperimentHost::ShowProgress(const std::string& what, int done, int runs,
                                  double seconds_left) {
  progress_.Show(what, done, runs, seconds_left);
}

Comparison ExperimentHost::Measure(ExperimentRequest request) {
  const std::string shown =
      request.place.empty() ? request.name : absl::StrCat(request.place, ", ", request.name);
  absl::StatusOr<std::unique_ptr<HostedComparison>> begun = Begin(std::move(request));
  if (!begun.ok()) return FailedComparison(std::string(begun.status().message()));
  HostedComparison& hosted = **begun;
  const InterruptGuard guard;
  Experiment& experiment = hosted.comparison.experiment();
  while (const RunPlan* const plan = experiment.Next()) {
    if (experiment.HasProgress()) {
      ShowProgress(shown, experiment.done(), experiment.runs(), experiment.SecondsLeft());
    }
    experiment.Take(LaunchCounted(&hosted, *plan));
  }
  progress_.Clear();
  Comparison comparison = hosted.comparison.Finish();
  Record(hosted.request.name, comparison);
  return comparison;
}

absl::Status ExperimentHost::CommitPairsFile() {
  if (pairs_file_.has_value() && pairs_status_.ok()) pairs_status_ = pairs_file_->Commit();
  pairs_file_.reset();
  return pairs_status_;
}

std::vector<LeftProcess> ExperimentHost::ProcessesLeftByRuns() {
  return ProcessesWithVariable(
      kProgramVariable, [](absl::string_view value) { return value == absl::StrCat(getpid()); });
}

bool ExperimentHost::interrupted() { return *InterruptSignal() != 0; }

}  // namespace duetbench
