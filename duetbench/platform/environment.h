#ifndef DUETBENCH_PLATFORM_ENVIRONMENT_H_
#define DUETBENCH_PLATFORM_ENVIRONMENT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace duetbench {

// A CPU bandwidth limit (CFS quota), as containers have it. A group that has used its quota gets no
// CPU until its period (usually 100 ms) is over: both threads of a duet are stopped, but not at the
// same moment. Reference: the kernel's admin-guide/cgroup-v2.rst (cpu.max). The older interface,
// version 1, is not read.
struct CpuQuota {
  double cpus = 0;     // quota / period: 1.5 for 150 ms in 100 ms
  std::string folder;  // of the group that sets it
};

// cpu.max: "150000 100000" gives 1.5; "max 100000" and invalid text give nothing.
std::optional<double> ParseCpuMax(absl::string_view text);

// The smallest quota of the groups that this process belongs to, itself or through a descendant, as
// far as its container shows them. Nothing if there is no limit. Files are read below `root`, which
// is "" in production.
std::optional<CpuQuota> ReadCpuQuota(const std::string& root);

// The environment of this process, as far as it may falsify the ratio of a duet and can be changed
// by the user. What slows down both variants alike is left out: a duet cancels it. Each field may
// be unknown by itself.
struct Environment {
  std::optional<CpuQuota> quota;  // the smallest one
  // Address space layout randomization: switched off for this process (setarch -R, a debugger) or
  // for the system (kernel.randomize_va_space = 0).
  bool layout_fixed_for_process = false;
  bool layout_fixed_for_system = false;
  std::optional<int> tracer;           // the process that traces this one (strace, a debugger)
  std::optional<double> load_average;  // of the last minute
  std::optional<int> runnable;         // threads that run or could run now, this one included
  int online_cpus = 0;                 // 0: unknown
  std::string sanitizer;               // of this program; empty: none
  bool optimized = true;               // whether duetbench was compiled with optimization
};

// Reads the files of /proc and /sys below `root` ("" in production). Well below 1 ms.
Environment ReadEnvironment(const std::string& root);

// One line for each problem, the most serious first: the problem, its effect on the result, and the
// remedy. Without a full stop at the end. Empty if there is no problem.
std::vector<std::string> EnvironmentWarnings(const Environment& environment);

// True in a program that valgrind executes. It does not follow a program that starts itself again
// by the name that the kernel has for it.
bool IsUnderValgrind();

// The process that traces another one (a debugger, strace), by the text of the latter's
// /proc/PID/status; nothing if none does.
std::optional<int> TracerOf(absl::string_view status);

// True while a debugger or strace traces this process. A file of /proc is read: 20 µs.
bool IsTraced();

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_ENVIRONMENT_H_
