#include "duetbench/experiment/run_process.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
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
#include "duetbench/platform/shared_memory.h"
#include "duetbench/process/crash_report.h"
#include "duetbench/process/subprocess.h"

namespace duetbench {
namespace {

// A run that is stuck reports so itself. One that cannot (it is stuck before its main, or stopped
// by a debugger) is killed after this additional time.
constexpr auto kGrace = std::chrono::seconds(5);

// Precedes the result: the process has reached the comparison.
constexpr char kArrival[] = "!";

void PrintOutput(const std::string& output, const char* whose = "") {
  if (output.empty()) return;
  std::fprintf(
      stderr, "duetbench: the last output of the failed run%s:\n  %s\n", whose,
      absl::StrReplaceAll(absl::StripTrailingAsciiWhitespace(output), {{"\n", "\n  "}}).c_str());
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
    if (absl::StartsWith(side->error.cause, "called exit()")) {
      absl::StrAppend(&side->error.cause, " with status ", outcome.exit_code);
    }
    return *std::move(side);
  }
  const bool reported = !outcome.result.empty() && outcome.end == ChildOutcome::End::kExited;
  failed.error.cause = reported ? std::string(side.status().message()) : DescribeEnd(outcome);
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
  if (!launched.result.error.cause.empty()) {
    PrintOutput(outcomes[0].output_tail, ", of old");
    PrintOutput(outcomes[1].output_tail, ", of new");
  }
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
  request.argv.insert(request.argv.end(), selector.flags.begin(), selector.flags.end());
  request.environment = selector.environment;
  request.environment.emplace_back(kTaskVariable, EncodeRunTask(task));
  request.result_fd_variable = kResultVariable;
  request.timeout = std::chrono::nanoseconds(static_cast<int64_t>(task.plan.timeout_ns)) + kGrace;
  request.interrupted = interrupted;

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
    if (absl::StartsWith(launched.result.error.cause, "called exit()")) {
      absl::StrAppend(&launched.result.error.cause, " with status ", outcome->exit_code);
    }
  } else {
    launched.result.error.cause = absl::StrCat("the process of the run ", DescribeEnd(*outcome));
  }
  if (!launched.result.error.cause.empty()) PrintOutput(outcome->output_tail);
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
    if (!command.executable.empty()) request.executable = command.executable;
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
  }
  absl::StatusOr<std::vector<ChildOutcome>> outcomes = RunChildren(requests);
  close(shared_fd);
  if (!outcomes.ok()) return outcomes.status();
  return PutTogether(sides, task.plan, *std::move(outcomes));
}

void ServeRun(const RunTask& task, const DuetFunctions& functions, int result_fd) {
  if (!WriteResult(result_fd, kArrival).ok()) _exit(1);
  EnableCrashReports({result_fd, VariantOfThisThread, EncodeRunError});
  std::string encoded;
  bool failed = false;
  if (task.side < 0) {
    encoded = EncodeRunResult(ExecuteRun(task.plan, functions));
  } else {
    const SideResult result = ServeSide(task, functions);
    // The partner may wait for this process: its end tells the parent that it need not.
    failed = !result.error.cause.empty();
    encoded = EncodeSideResult(result);
  }
  if (!DisableCrashReports()) _exit(1);
  std::fflush(nullptr);
  const absl::Status written = WriteResult(result_fd, encoded);
  // Without the destructors of the program, in which a run that is stuck would not end.
  _exit(written.ok() && !failed ? 0 : 1);
}

}  // namespace duetbench
