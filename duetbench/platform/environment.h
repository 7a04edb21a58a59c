#ifndef DUETBENCH_PLATFORM_ENVIRONMENT_H_
#define DUETBENCH_PLATFORM_ENVIRONMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "duetbench/platform/cgroup.h"

namespace duetbench {

// What spoils, or may spoil, a ratio that a duet measures on this machine, and can be changed by
// the user. Only that: what slows down both sides alike is what the duet is there to cancel.

// What is known about the surroundings of this process. Each field may be unknown by itself.
struct Environment {
  std::optional<CpuQuota> quota;  // the smallest one
  // Address space layout randomisation: switched off for this process (setarch -R, a debugger) or
  // for the system (kernel.randomize_va_space = 0).
  bool layout_fixed_for_process = false;
  bool layout_fixed_for_system = false;
  std::vector<std::string> governors;  // frequency governors of the CPUs in use, each name once
  std::optional<bool> boost;           // whether the clock may rise above its nominal rate
  std::optional<std::string> clocksource;
  std::string emulator;                // such as "valgrind" or "QEMU without KVM"; empty: none seen
  std::optional<int> tracer;           // the process that traces this one (strace, a debugger)
  std::optional<double> load_average;  // of the last minute
  std::optional<int> runnable;         // threads that run or could run now, this one included
  int online_cpus = 0;                 // 0: unknown
  std::vector<std::string> sanitizers;  // that duetbench was compiled with
  bool optimized = true;                // whether duetbench was compiled with optimisation
};

// Reads the files of /proc and /sys below `root` ("" in production), asks the processor and the
// compiler. `cpus` are those the duet will use. Well below 1 ms.
Environment ReadEnvironment(const std::string& root, const std::vector<int>& cpus);

// One line for each matter, the gravest first: what it is, what it does to the result, and what to
// do. No full stop at the end. Empty on a fit machine.
std::vector<std::string> EnvironmentWarnings(const Environment& environment);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_ENVIRONMENT_H_
