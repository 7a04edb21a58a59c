#include "duetbench/experiment/run_process.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "duetbench/process/crash_report.h"
#include "duetbench/process/subprocess.h"

namespace duetbench {
namespace {

// A run that is stuck reports so itself. One that cannot (it is stuck before its main, or stopped
// by a debugger) is killed after this additional time.
constexpr auto kGrace = std::chrono::seconds(5);

// Precedes the result: the process has reached the comparison.
constexpr char kArrival[] = "!";

void PrintOutput(const std::string& output) {
  if (output.empty()) return;
  std::fprintf(
      stderr, "duetbench: the last output of the failed run:\n  %s\n",
      absl::StrReplaceAll(absl::StripTrailingAsciiWhitespace(output), {{"\n", "\n  "}}).c_str());
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

void ServeRun(const RunPlan& plan, const DuetFunctions& functions, int result_fd) {
  if (!WriteResult(result_fd, kArrival).ok()) _exit(1);
  EnableCrashReports({result_fd, VariantOfThisThread, EncodeRunError});
  const RunResult result = ExecuteRun(plan, functions);
  if (!DisableCrashReports()) _exit(1);
  std::fflush(nullptr);
  const absl::Status written = WriteResult(result_fd, EncodeRunResult(result));
  // Without the destructors of the program, in which a run that is stuck would not end.
  _exit(written.ok() ? 0 : 1);
}

}  // namespace duetbench
