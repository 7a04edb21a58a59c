#include "duetbench/experiment/run_process.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "duetbench/experiment/run_rounds.h"
#include "duetbench/platform/memory.h"
#include "duetbench/process/crash_report.h"
#include "duetbench/process/exit_status.h"
#include "duetbench/process/subprocess.h"

namespace duetbench {
namespace {

// A run that is stuck reports so itself. One that cannot (it is stuck before its main, or stopped
// by a debugger) is killed after this additional time.
constexpr auto kGrace = std::chrono::seconds(5);

// Precedes the result: the process has reached the comparison.
constexpr char kArrival[] = "!";

// The reports of sanitizers are long, and what they found shall be seen.
constexpr size_t kSanitizerTailBytes = 256 << 10;

// Empty: this program.
void SetExecutable(const std::string& executable, ChildRequest* request) {
  if (executable.empty()) return;
  request->executable = executable;
  request->fallback_executable = executable;  // never argv[0], which may be another program
}

void PrintOutput(const std::string& of, const std::string& output) {
  if (output.empty()) return;
  std::fprintf(
      stderr, "duetbench: the last output of %s:\n  %s\n", of.c_str(),
      absl::StrReplaceAll(absl::StripTrailingAsciiWhitespace(output), {{"\n", "\n  "}}).c_str());
}

// Whether a sanitizer has reported something in `output`.
bool HasSanitizerReport(const std::string& output) {
  return HasSanitizer() &&
         (absl::StrContains(output, "Sanitizer: ") || absl::StrContains(output, "runtime error: "));
}

// What a failed process has printed, and what a sanitizer has in another one.
void PrintOutputOf(const RunError& error, const std::string& output, const std::string& side = "") {
  if (!error.cause.empty()) {
    PrintOutput("the failed run" + side, output);
  } else if (HasSanitizerReport(output)) {
    PrintOutput("a run, in which a sanitizer found something" + side, output);
  }
}

// Begins an error that is not of one variant. Errors of a side begin with the variant.
constexpr char kProcessOfRun[] = "the process of the run ";

// Completes the error of a process that has reported, from how it ended.
void AddEnd(const ChildOutcome& outcome, const char* subject, RunError* error) {
  const bool exited = outcome.end == ChildOutcome::End::kExited;
  if (absl::StartsWith(error->cause, "called exit()")) {
    absl::StrAppend(&error->cause, " with status ", outcome.exit_code);
  } else if (error->cause.empty() && (!exited || outcome.exit_code != 0)) {
    // The checks of a sanitizer at exit.
    error->cause = absl::StrCat(subject, DescribeEnd(outcome), " after it had reported");
  }
}

// Of a process that brought no result; `status` is the error of decoding it.
std::string WhyNoResult(const ChildOutcome& outcome, const char* subject,
                        const absl::Status& status) {
  const bool exited = outcome.end == ChildOutcome::End::kExited;
  if (exited && outcome.exit_code == kExitCannotReport) {
    return absl::StrCat(subject,
                        "lost its result: something in this program has closed the descriptor for "
                        "it (close only descriptors that you have opened)");
  }
  std::string cause = absl::StrCat(subject, DescribeEnd(outcome));
  if (!outcome.result.empty()) absl::StrAppend(&cause, ": ", std::string(status.message()));
  return cause;
}

// What one side of a run says about itself; an error if it did not bring a result.
SideResult SideOf(const SideCommand& command, ChildOutcome& outcome) {
  SideResult failed;
  const bool arrived = absl::StartsWith(outcome.result, kArrival);
  if (arrived) outcome.result.erase(0, 1);
  if (!arrived && !command.did_not_arrive.empty()) {
    failed.error.cause = absl::StrCat(command.did_not_arrive, ": it ", DescribeEnd(outcome));
    return failed;
  }
  absl::StatusOr<SideResult> side = DecodeSideResult(outcome.result);
  if (side.ok()) {
    AddEnd(outcome, "", &side->error);
    return *std::move(side);
  }
  failed.error.cause = WhyNoResult(outcome, "", side.status());
  return failed;
}

LaunchedRun PutTogether(const SideCommand (&sides)[2], const RunPlan& plan,
                        std::vector<ChildOutcome> outcomes) {
  using End = ChildOutcome::End;
  LaunchedRun launched;
  SideResult results[2];
  for (int side = 0; side < 2; ++side) {
    ChildOutcome& outcome = outcomes[static_cast<size_t>(side)];
    launched.wall_ns = std::max(launched.wall_ns, static_cast<double>(outcome.wall_time.count()));
    launched.interrupted = launched.interrupted || outcome.end == End::kInterrupted;
    results[side] = SideOf(sides[side], outcome);
    // The one that failed has the cause.
    if (outcome.end == End::kEndedWithOther) results[side].error = {};
  }
  if (launched.interrupted) return launched;
  launched.result = MergeSides(plan, std::move(results[0]), std::move(results[1]));
  PrintOutputOf(launched.result.error, outcomes[0].output_tail, ", of old");
  PrintOutputOf(launched.result.error, outcomes[1].output_tail, ", of new");
  return launched;
}

SideResult ServeSide(const RunTask& task, const DuetFunctions& functions) {
  void* const memory = MapSharedMemory(task.shared_fd, sizeof(SharedRun));
  if (memory == nullptr) {
    SideResult failed;
    failed.error.cause =
        "cannot map the memory that both sides share; are both built with the "
        "same version of duetbench?";
    return failed;
  }
  close(task.shared_fd);
  DuetFunctions mine = functions;
  const std::shared_ptr<const Variant> variant = functions.variants[task.executes];
  for (auto& executed : mine.variants) executed = variant;
  return ExecuteSide(task.plan, mine, task.side, static_cast<SharedRun*>(memory));
}

}  // namespace

absl::StatusOr<LaunchedRun> LaunchRun(const std::vector<std::string>& argv,
                                      const ChildSelector& selector, const RunTask& task,
                                      const volatile std::sig_atomic_t* interrupted) {
  ChildRequest request;
  request.argv = argv;
  SetExecutable(selector.executable, &request);
  request.argv.insert(request.argv.end(), selector.flags.begin(), selector.flags.end());
  request.environment = selector.environment;
  request.environment.emplace_back(kTaskVariable, EncodeRunTask(task));
  request.result_fd_variable = kResultVariable;
  request.timeout = std::chrono::nanoseconds(static_cast<int64_t>(task.plan.timeout_ns)) + kGrace;
  request.interrupted = interrupted;
  if (HasSanitizer()) request.tail_bytes = kSanitizerTailBytes;

  absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) return outcome.status();
  LaunchedRun launched;
  launched.wall_ns = static_cast<double>(outcome->wall_time.count());
  if (outcome->end == ChildOutcome::End::kInterrupted) {
    launched.interrupted = true;
    return launched;
  }
  const bool arrived = absl::StartsWith(outcome->result, kArrival);
  if (arrived) outcome->result.erase(0, 1);
  if (!arrived && !selector.did_not_arrive.empty()) {
    launched.result.error.cause =
        absl::StrCat(selector.did_not_arrive, ": it ", DescribeEnd(*outcome));
    return launched;
  }
  absl::StatusOr<RunResult> result = DecodeRunResult(outcome->result);
  if (result.ok()) {
    launched.result = *std::move(result);
    AddEnd(*outcome, kProcessOfRun, &launched.result.error);
  } else {
    launched.result.error.cause = WhyNoResult(*outcome, kProcessOfRun, result.status());
  }
  PrintOutputOf(launched.result.error, outcome->output_tail);
  return launched;
}

absl::StatusOr<LaunchedRun> LaunchSides(const SideCommand (&sides)[2], const RunTask& task,
                                        const volatile std::sig_atomic_t* interrupted) {
  const int shared_fd = OpenSharedMemory(sizeof(SharedRun));
  if (shared_fd < 0) {
    return absl::ErrnoToStatus(errno, "two processes need memory that they share (memfd_create)");
  }
  std::vector<ChildRequest> requests;
  for (int side = 0; side < 2; ++side) {
    const SideCommand& command = sides[side];
    ChildRequest& request = requests.emplace_back();
    request.argv = command.argv;
    SetExecutable(command.executable, &request);
    request.environment = command.environment;
    RunTask side_task = task;
    side_task.side = side;
    side_task.family = command.family;
    side_task.executes = command.executes;
    side_task.shared_fd = shared_fd;
    request.environment.emplace_back(kTaskVariable, EncodeRunTask(side_task));
    request.result_fd_variable = kResultVariable;
    request.timeout = std::chrono::nanoseconds(static_cast<int64_t>(task.plan.timeout_ns)) + kGrace;
    request.interrupted = interrupted;
    request.inherited_fd = shared_fd;
    if (HasSanitizer()) request.tail_bytes = kSanitizerTailBytes;
  }
  absl::StatusOr<std::vector<ChildOutcome>> outcomes = RunChildren(requests);
  close(shared_fd);
  if (!outcomes.ok()) return outcomes.status();
  return PutTogether(sides, task.plan, *std::move(outcomes));
}

void ServeRun(const RunTask& task, const DuetFunctions& functions, int result_fd) {
  static std::atomic<bool> serving{false};
  const bool is_nested = serving.exchange(true);
  if (!is_nested) {
    if (!WriteResult(result_fd, kArrival).ok()) _exit(kExitCannotReport);
    EnableCrashReports({result_fd, VariantOfThisThread, EncodeRunError});
  }
  std::string encoded;
  bool failed = false;
  bool stuck = false;  // its threads still use what destructors would take away
  if (is_nested) {
    RunResult result;
    result.error = {VariantOfThisThread(), "called RunSpecifiedBenchmarks inside of a benchmark"};
    encoded = EncodeRunResult(result);
    failed = true;
  } else if (task.side < 0) {
    const RunResult result = ExecuteRun(task.plan, functions);
    failed = !result.error.cause.empty();
    encoded = EncodeRunResult(result);
  } else {
    const SideResult result = ServeSide(task, functions);
    failed = !result.error.cause.empty();
    stuck = result.stuck;
    encoded = EncodeSideResult(result);
  }
  if (!DisableCrashReports()) _exit(kExitError);
  std::fflush(nullptr);
  if (!WriteResult(result_fd, encoded).ok()) _exit(kExitCannotReport);
  // Sanitizers look for leaks, and tell by the exit status what they have found, at exit. Otherwise
  // without the destructors of the program, in which a run that is stuck would not end.
  if (HasSanitizer() && !failed && !stuck) std::exit(kExitSuccess);
  // The partner of a side may wait for it: its end tells the parent that it need not.
  _exit(failed && task.side >= 0 ? kExitError : kExitSuccess);
}

}  // namespace duetbench
