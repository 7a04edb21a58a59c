#ifndef DUETBENCH_EXPERIMENT_MACHINE_H_
#define DUETBENCH_EXPERIMENT_MACHINE_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/platform/cpu_pair.h"

namespace duetbench {

// Facts about the machine that every run is planned with; a report prints them once.
struct Machine {
  CpuPairChoice cpus;
  bool probed = false;  // the relation of the CPUs was measured, not only read
  // It was to be measured, and the probes did not agree: other processes use the CPUs.
  bool is_probe_unclear = false;
  double probe_slow_down = 0;  // time of a loop on both CPUs together / alone
  double ns_per_tick = 1;
  std::string clock;  // "tsc 2.60 GHz, 10 ns steps"
  double clock_step_ns = 0;
  double clock_overhead_ns = 0;
  std::vector<std::string> warnings;
};

// Looks at this machine: chooses the CPUs (or takes `cpus`, "2,3", if it is not empty), probes
// whether they are separate cores, measures the clock. About 30 ms. `before_probe`, if there is
// one, is called with each choice before it is probed; the last one is that of the result. The
// error says what is wrong with `cpus`.
using BeforeProbe = std::function<void(const CpuPairChoice&)>;
absl::StatusOr<Machine> InspectMachine(const std::string& cpus,
                                       const BeforeProbe& before_probe = nullptr);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_MACHINE_H_
