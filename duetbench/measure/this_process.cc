#include "duetbench/measure/this_process.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/strings/str_split.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/spawn.h"
#include "duetbench/platform/subprocess.h"

namespace duetbench {
namespace {

constexpr char kRandomLayoutVariable[] = "DUETBENCH_RANDOM_LAYOUT";

std::optional<AssignedRun> ReadAssignedRun() {
  const char* const text = std::getenv(kTaskVariable);
  if (text == nullptr) return std::nullopt;
  absl::StatusOr<RunTask> task = DecodeRunTask(text);
  const absl::StatusOr<int> result_fd = TakeResultDescriptor(kResultVariable);
  unsetenv(kTaskVariable);
  if (!task.ok() || !result_fd.ok()) {
    const absl::Status& error = task.ok() ? result_fd.status() : task.status();
    std::fprintf(stderr, "duetbench: %s\n", std::string(error.message()).c_str());
    std::_Exit(task.ok() ? kExitCannotReport : kExitError);
  }
  const auto parent = static_cast<pid_t>(task->parent);
  if (task->side < 0) {
    DieWithParent(parent);
  } else {
    // There may be a shell or a wrapper between the parent and this process.
    EndWithCollector(parent, /*may_start_thread=*/task->plan.in_processes == 0);
  }
  return AssignedRun{*std::move(task), *result_fd};
}

// A main that calls benchmark::MaybeReenterWithoutASLR is restarted with a fixed memory layout,
// for the sake of ordinary benchmarks, unless processes started from here have one. So the process
// of a run says that they have, although its own layout is random; any other process remembers, for
// RandomizeLayoutOfRuns, that its layout was random before the restart.
void RememberLayout(bool is_run) {
  if (LayoutFixedForProcess()) return;
  if (is_run) {
    SetLayoutFixed(true);
  } else {
    setenv(kRandomLayoutVariable, "1", 1);
  }
}

}  // namespace

const std::optional<AssignedRun>& RunOfThisProcess() {
  static const auto* const run = [] {
    OpenStandardDescriptors();
    auto* const read = new std::optional<AssignedRun>(ReadAssignedRun());
    RememberLayout(read->has_value());
    // A process of a copy (code_layout/) has the number of a descriptor as its name.
    if (read->has_value()) prctl(PR_SET_NAME, program_invocation_short_name);
    return read;
  }();
  return *run;
}

namespace {

std::vector<std::string>& SavedCommandLine() {
  static auto* const saved = new std::vector<std::string>;
  return *saved;
}

}  // namespace

void SaveCommandLine(std::vector<std::string> command_line) {
  SavedCommandLine() = std::move(command_line);
}

std::vector<std::string> CommandLineOfThisProcess() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (text.empty()) return SavedCommandLine();
  if (text.back() == '\0') text.pop_back();
  return absl::StrSplit(text, '\0');
}

void RandomizeLayoutOfRuns() {
  if (std::getenv(kRandomLayoutVariable) != nullptr) SetLayoutFixed(false);
}

}  // namespace duetbench
