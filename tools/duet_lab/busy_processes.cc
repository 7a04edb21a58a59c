#include "tools/duet_lab/busy_processes.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "absl/status/status.h"
#include "duetbench/process/subprocess.h"

namespace duetbench::lab {
namespace {

[[noreturn]] void Spin() {
  for (;;) {
    for (int i = 0; i < 1'000'000; ++i) asm volatile("");
  }
}

}  // namespace

absl::StatusOr<BusyProcesses> BusyProcesses::Start(int number) {
  BusyProcesses busy;
  const pid_t parent = getpid();
  for (int i = 0; i < number; ++i) {
    const pid_t child = fork();
    if (child < 0) return absl::ErrnoToStatus(errno, "cannot start a busy process");
    if (child == 0) {
      DieWithParent(parent);
      Spin();
    }
    busy.processes_.push_back(child);
  }
  return busy;
}

BusyProcesses::~BusyProcesses() {
  for (const pid_t process : processes_) kill(process, SIGKILL);
  for (const pid_t process : processes_) waitpid(process, nullptr, 0);
}

}  // namespace duetbench::lab
