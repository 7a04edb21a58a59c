#ifndef DUETBENCH_TOOLS_DUET_LAB_BUSY_PROCESSES_H_
#define DUETBENCH_TOOLS_DUET_LAB_BUSY_PROCESSES_H_

#include <sys/types.h>

#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace duetbench::lab {

// Processes that keep CPUs busy for as long as this lives: each counts in its registers, unpinned,
// at normal priority. They end with this process whatever becomes of it. Start them before there
// are threads.
class BusyProcesses {
 public:
  static absl::StatusOr<BusyProcesses> Start(int number);
  ~BusyProcesses();
  BusyProcesses(BusyProcesses&& other) noexcept : processes_(std::move(other.processes_)) {
    other.processes_.clear();
  }
  BusyProcesses& operator=(BusyProcesses&&) = delete;

 private:
  BusyProcesses() = default;

  std::vector<pid_t> processes_;
};

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_BUSY_PROCESSES_H_
