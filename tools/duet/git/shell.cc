#include "tools/duet/git/shell.h"

#include <chrono>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/platform/subprocess.h"

namespace duetbench::duet {
namespace {

constexpr char kOutputVariable[] = "DUET_COMMAND_FD";

absl::StatusOr<ChildOutcome> Execute(const ShellCommand& command, const std::string& text) {
  ChildRequest request;
  request.executable = "/bin/sh";
  request.argv = {"sh", "-c", absl::StrCat(command.prologue, text)};
  request.folder = command.folder;
  request.result_fd_variable = kOutputVariable;
  request.timeout = std::chrono::hours(24);
  request.interrupted = InterruptSignal();
  absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) return outcome.status();
  if (outcome->end == ChildOutcome::End::kInterrupted) {
    return absl::CancelledError(absl::StrCat(command.what, " was interrupted"));
  }
  if (outcome->end == ChildOutcome::End::kExited && outcome->exit_code == 0) return outcome;
  const std::string said(absl::StripTrailingAsciiWhitespace(outcome->output_tail));
  const std::string end = outcome->end == ChildOutcome::End::kExited
                              ? absl::StrCat("exited with status ", outcome->exit_code)
                              : DescribeEnd(*outcome);
  return absl::FailedPreconditionError(absl::StrCat(command.what, " failed: `", command.text, "` ",
                                                    end, said.empty() ? "" : "; it said:\n", said));
}

}  // namespace

absl::Status RunCommand(const ShellCommand& command) {
  return Execute(command, command.text).status();
}

absl::StatusOr<std::string> OutputOf(const ShellCommand& command) {
  // Not `>&`: shells take one digit there.
  const absl::StatusOr<ChildOutcome> outcome =
      Execute(command, absl::StrCat("{ ", command.text, "\n} >/proc/self/fd/$", kOutputVariable));
  if (!outcome.ok()) return outcome.status();
  return std::string(absl::StripTrailingAsciiWhitespace(outcome->result));
}

}  // namespace duetbench::duet
