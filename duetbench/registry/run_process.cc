#include "duetbench/registry/run_process.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "duetbench/platform/subprocess.h"
#include "duetbench/report/repeat_command.h"
#include "duetbench/runner/last_words.h"

namespace duetbench {
namespace {

// A run reports by itself what it is stuck in; only one that cannot even do that (stuck before its
// main, stopped by a debugger) is ended from outside, so much later.
constexpr auto kGrace = std::chrono::seconds(5);

// Stands before the result: the process has come to where it measures.
constexpr char kArrival[] = "!";

void ShowOutput(const std::string& output) {
  if (output.empty()) return;
  std::fprintf(
      stderr, "duetbench: the last output of the failed run:\n  %s\n",
      absl::StrReplaceAll(absl::StripTrailingAsciiWhitespace(output), {{"\n", "\n  "}}).c_str());
}

}  // namespace

std::string EncodeRunTask(const RunTask& task) {
  return absl::StrCat(task.parent, ";", task.family, ";", absl::StrJoin(task.ranges, ","), ";",
                      absl::BytesToHexString(absl::string_view(
                          reinterpret_cast<const char*>(&task.plan), sizeof(task.plan))));
}

absl::StatusOr<RunTask> DecodeRunTask(absl::string_view text) {
  const absl::Status bad = absl::InvalidArgumentError(
      absl::StrCat(kTaskVariable, " is set but is no task of this program; unset it"));
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ';');
  RunTask task;
  if (parts.size() != 4 || !absl::SimpleAtoi(parts[0], &task.parent) ||
      !absl::SimpleAtoi(parts[1], &task.family)) {
    return bad;
  }
  for (absl::string_view part : absl::StrSplit(parts[2], ',', absl::SkipEmpty())) {
    int64_t range = 0;
    if (!absl::SimpleAtoi(part, &range)) return bad;
    task.ranges.push_back(range);
  }
  // HexStringToBytes takes any character.
  if (parts[3].size() != 2 * sizeof(RunPlan) ||
      !std::all_of(parts[3].begin(), parts[3].end(), absl::ascii_isxdigit)) {
    return bad;
  }
  const std::string bytes = absl::HexStringToBytes(parts[3]);
  std::memcpy(static_cast<void*>(&task.plan), bytes.data(), sizeof(RunPlan));
  return task;
}

std::string FamilyFilter(const std::string& name) {
  return absl::StrCat("^", EscapedForFilter(name), "(/|$)");
}

RunRoute RouteToFamily(const std::string& family_name) {
  return {{absl::StrCat("--benchmark_filter=", FamilyFilter(family_name)),
           "--benchmark_list_tests=false", "--benchmark_repetitions=1",
           "--benchmark_enable_random_interleaving=false", "--benchmark_format=console",
           "--benchmark_out="},
          {},
          ""};
}

absl::StatusOr<LaunchedRun> LaunchRun(const std::vector<std::string>& argv, const RunRoute& route,
                                      const RunTask& task,
                                      const volatile std::sig_atomic_t* interrupted) {
  ChildRequest request;
  request.argv = argv;
  request.argv.insert(request.argv.end(), route.flags.begin(), route.flags.end());
  request.environment = route.environment;
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
  if (!arrived && !route.missed.empty()) {
    launched.result.error.cause = absl::StrCat(route.missed, ": it ", DescribeEnd(*outcome));
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
  if (!launched.result.error.cause.empty()) ShowOutput(outcome->output_tail);
  return launched;
}

void ServeRun(const RunPlan& plan, const DuetFunctions& functions, int result_fd) {
  if (!WriteResult(result_fd, kArrival).ok()) _exit(1);
  SendLastWordsTo(result_fd);
  const RunResult result = ExecuteRun(plan, functions);
  SilenceLastWords();
  std::fflush(nullptr);
  const absl::Status written = WriteResult(result_fd, EncodeRunResult(result));
  // No destructors of the program: they are not measured, and a run that is stuck could not end.
  _exit(written.ok() ? 0 : 1);
}

}  // namespace duetbench
