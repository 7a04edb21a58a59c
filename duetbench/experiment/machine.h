#ifndef DUETBENCH_EXPERIMENT_MACHINE_H_
#define DUETBENCH_EXPERIMENT_MACHINE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/platform/cpu_pair.h"

namespace duetbench {

// Facts about the machine that every run is planned with; a report prints them once.
struct Machine {
  CpuPairChoice cpus;
  double ns_per_tick = 1;
  std::string clock;  // "tsc 2.60 GHz, 10 ns steps"
  double clock_step_ns = 0;
  double clock_overhead_ns = 0;
  std::vector<std::string> warnings;
};

// Looks at this machine: chooses the CPUs (or takes `cpus`, "2,3", if it is not empty), and
// measures the clock. About 10 ms. The error says what is wrong with `cpus`.
absl::StatusOr<Machine> InspectMachine(const std::string& cpus);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_MACHINE_H_
