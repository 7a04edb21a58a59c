#include "duetbench/measure/run_process.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "duetbench/measure/run_in_progress.h"
#include "duetbench/platform/crash_report.h"
#include "duetbench/platform/environment.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/platform/memory.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/subprocess.h"

namespace duetbench {
namespace {

// A run that is stuck reports so itself. One that cannot (it is stuck before its main, or stopped
// by a debugger) is killed after this additional time.
constexpr auto kGrace = std::chrono::seconds(5);

// Precedes the result: the process has reached the comparison.
constexpr char kArrival[] = "!";

// The reports of sanitizers are long, and what they found shall be seen.
constexpr size_t kSanitizerTailBytes = 256 << 10;

std::string OutputText(const std::string& of, const std::string& output) {
  if (output.empty()) return "";
  return absl::StrCat(
      "duetbench: the last output of ", of, ":\n  ",
      absl::StrReplaceAll(absl::StripTrailingAsciiWhitespace(output), {{"\n", "\n  "}}), "\n");
}

// True if a sanitizer has reported something in `output`.
bool HasSanitizerReport(const std::string& output) {
  return HasSanitizer() &&
         (absl::StrContains(output, "Sanitizer: ") || absl::StrContains(output, "runtime error: "));
}

// The output of a failed process, or the reports of a sanitizer in the output of another one.
std::string OutputOf(const RunError& error, const std::string& output, const std::string& side) {
  if (!error.cause.empty()) return OutputText("the failed run" + side, output);
  if (!HasSanitizerReport(output)) return "";
  return OutputText("a run, in which a sanitizer found something" + side, output);
}

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

// The error of a process that brought no result; `status` is the error of decoding it.
std::string WhyNoResult(const ChildOutcome& outcome, const char* subject,
                        const absl::Status& status) {
  const bool exited = outcome.end == ChildOutcome::End::kExited;
  if (exited && outcome.exit_code == kExitCannotReport) {
    return absl::StrCat(subject,
                        "lost its result: something in this program has closed the descriptor for "
                        "it (close only descriptors that you have opened)");
  }
  std::string cause = absl::StrCat(subject, DescribeEnd(outcome));
  if (outcome.result.empty() && IsUnderValgrind()) {
    absl::StrAppend(&cause,
                    ": valgrind cannot start the program again; --duet_isolation=once forks it");
  } else if (exited && outcome.result.empty()) {
    absl::StrAppend(&cause,
                    "; of a program that can exist only once (a port, a lock, a file),"
                    " --duet_isolation=once makes forks");
  }
  if (!outcome.result.empty()) absl::StrAppend(&cause, ": ", std::string(status.message()));
  return cause;
}

// Record of a process of a run; it has an error if the process brought none. `subject` begins
// errors that are not of one variant.
RunRecord RecordOf(const RunCommand& command, const char* subject, ChildOutcome& outcome) {
  RunRecord failed;
  const bool arrived = absl::StartsWith(outcome.result, kArrival);
  if (arrived) outcome.result.erase(0, 1);
  if (!arrived && !command.did_not_arrive.empty()) {
    failed.error.cause = absl::StrCat(command.did_not_arrive, ": it ", DescribeEnd(outcome));
    return failed;
  }
  absl::StatusOr<RunRecord> record = DecodeRunRecord(outcome.result);
  if (record.ok()) {
    if (!HasError(*record) || !record->error.cause.empty()) {
      AddEnd(outcome, subject, &record->error);
    }
    return *std::move(record);
  }
  failed.error.cause = WhyNoResult(outcome, subject, record.status());
  return failed;
}

RunOfPairs PutTogether(const std::vector<RunCommand>& commands, const RunPlan& plan,
                       std::vector<ChildOutcome> outcomes) {
  using End = ChildOutcome::End;
  const bool are_sides = commands.size() > 1;
  // Errors of a side begin with the variant.
  const char* const subject = are_sides ? "" : "the process of the run ";
  RunResult ended;
  std::vector<RunRecord> records;
  for (size_t i = 0; i < commands.size(); ++i) {
    ChildOutcome& outcome = outcomes[i];
    ended.process_ns = std::max(ended.process_ns, static_cast<double>(outcome.wall_time.count()));
    ended.interrupted = ended.interrupted || outcome.end == End::kInterrupted;
    records.push_back(RecordOf(commands[i], subject, outcome));
    ended.out_of_time =
        ended.out_of_time ||
        (plan.is_limited && (records.back().stuck || outcome.end == End::kTimedOut));
    // The one that failed has the cause.
    if (outcome.end == End::kEndedWithOther) records[i].error = {};
  }
  if (ended.was_ended()) return {ended};
  RunOfPairs run = RunsOf(plan, std::move(records));
  run.front().process_ns = ended.process_ns;
  for (size_t i = 0; i < commands.size(); ++i) {
    const std::string side = !are_sides      ? ""
                             : IsGroup(plan) ? absl::StrCat(", of ", commands[i].argv[0])
                                             : absl::StrCat(", of ", i == 0 ? "old" : "new");
    run.front().output += OutputOf(run.front().error, outcomes[i].output_tail, side);
  }
  return run;
}

ChildRequest RequestOf(const RunCommand& command, const RunTask& task,
                       const volatile std::sig_atomic_t* interrupted) {
  ChildRequest request;
  request.argv = command.argv;
  request.folder = command.folder;
  if (!command.executable.empty()) request.executable = command.executable;
  if (command.serve) {
    request.body = [serve = command.serve, task](int result_fd) { serve(task, result_fd); };
  }
  request.environment = command.environment;
  request.environment.emplace_back(kTaskVariable, EncodeRunTask(task));
  request.result_fd_variable = kResultVariable;
  request.timeout = std::chrono::nanoseconds(static_cast<int64_t>(task.plan.timeout_ns)) + kGrace;
  request.interrupted = interrupted;
  request.shares_input = true;
  request.inherited_fd = task.shared_fd;
  if (HasSanitizer()) request.tail_bytes = kSanitizerTailBytes;
  return request;
}

RunRecord Execute(const RunTask& task, const DuetFunctions& functions) {
  if (task.side < 0) return ExecutePart(task.plan, functions);
  void* const memory = MapSharedMemory(task.shared_fd, sizeof(SharedRun));
  if (memory == nullptr) {
    RunRecord failed;
    failed.error.cause =
        "cannot map the memory that the programs share; are all built with the "
        "same version of duetbench?";
    return failed;
  }
  close(task.shared_fd);
  DuetFunctions mine = functions;
  mine.variants.assign(task.plan.variants, functions.variants[static_cast<size_t>(task.executes)]);
  return ExecutePart(task.plan, mine, task.side, static_cast<SharedRun*>(memory));
}

}  // namespace

absl::StatusOr<RunOfPairs> LaunchRun(const std::vector<RunCommand>& commands, const RunTask& task,
                                     const volatile std::sig_atomic_t* interrupted,
                                     const WatchChildren& watch) {
  const bool are_sides = commands.size() > 1;
  const int shared_fd = are_sides ? OpenSharedMemory(sizeof(SharedRun)) : -1;
  if (are_sides && shared_fd < 0) {
    return absl::ErrnoToStatus(errno,
                               "several processes need memory that they share (memfd_create)");
  }
  std::vector<ChildRequest> requests;
  for (size_t i = 0; i < commands.size(); ++i) {
    RunTask mine = task;
    mine.side = are_sides ? static_cast<int>(i) : -1;
    mine.family = commands[i].family;
    mine.executes = commands[i].executes;
    mine.shared_fd = shared_fd;
    requests.push_back(RequestOf(commands[i], mine, interrupted));
  }
  // Several processes draw one layout of memory for all of them (RunRandomization) in place of one
  // from the kernel for each.
  const bool was_fixed = LayoutFixedForProcess();
  if (are_sides) SetLayoutFixed(true);
  absl::StatusOr<std::vector<ChildOutcome>> outcomes = RunChildren(requests, watch);
  SetLayoutFixed(was_fixed);
  if (shared_fd >= 0) close(shared_fd);
  if (!outcomes.ok()) return outcomes.status();
  return PutTogether(commands, task.plan, *std::move(outcomes));
}

void ServeRun(const RunTask& task, const DuetFunctions& functions, int result_fd) {
  static std::atomic<bool> serving{false};
  RunRecord record;
  if (serving.exchange(true)) {
    record.error = {VariantOfThisThread(), "called RunSpecifiedBenchmarks inside of a benchmark"};
  } else {
    if (!WriteResult(result_fd, kArrival).ok()) _exit(kExitCannotReport);
    EnableCrashReports({result_fd, VariantOfThisThread, EncodeRunError});
    record = Execute(task, functions);
  }
  const std::string encoded = EncodeRunRecord(record);
  if (!DisableCrashReports()) _exit(kExitError);
  std::fflush(nullptr);
  if (!WriteResult(result_fd, encoded).ok()) _exit(kExitCannotReport);
  // Sanitizers look for leaks, and tell by the exit status what they have found, at exit; profiles
  // are written there. Otherwise without the destructors of the program, in which a run that is
  // stuck would not end, and which would take away what its threads use.
  if (ReportsAtExit() && !HasError(record) && !record.stuck) std::exit(kExitSuccess);
  // The partner of a side may wait for it: its end tells the parent that it need not.
  _exit(record.error.cause.empty() || task.side < 0 ? kExitSuccess : kExitError);
}

}  // namespace duetbench
