#ifndef TOOLS_DUET_GIT_SHELL_H_
#define TOOLS_DUET_GIT_SHELL_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace duetbench::duet {

// A command for /bin/sh. Its stdin is empty, and processes that it leaves behind are killed. A
// signal (experiment/interrupt.h) ends it while an InterruptGuard lives.
struct ShellCommand {
  std::string text;
  std::string folder;    // to run it in; empty: this one
  std::string what;      // begins the error: "the build of v1.2"
  std::string prologue;  // commands before it that errors do not show, each with its `; `
};

// FailedPrecondition if it does not exit with status 0; the message has the end of what it printed.
// Cancelled if a signal came.
absl::Status RunCommand(const ShellCommand& command);

// The same; returns all of its stdout, without white space at the end. The message of an error has
// the end of its stderr.
absl::StatusOr<std::string> OutputOf(const ShellCommand& command);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_SHELL_H_
