#include "duetbench/platform/environment.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/platform/crash_report.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

// The path of the group of this process, "/user.slice/a", from /proc/self/cgroup; empty: the root,
// or outside of what is mounted (the process was moved out of its cgroup namespace).
std::string GroupOf(absl::string_view proc_cgroup) {
  for (absl::string_view line : absl::StrSplit(proc_cgroup, '\n')) {
    if (!absl::ConsumePrefix(&line, "0::")) continue;
    return absl::StrContains(line, "/..") ? "" : std::string(absl::StripSuffix(line, "/"));
  }
  return "";
}

bool OptimizedBuild() {
#if defined(__OPTIMIZE__)
  return true;
#else
  return false;
#endif
}

void ReadLoad(const std::string& root, Environment* environment) {
  // "0.39 0.22 0.09 1/85 5649": averages, then runnable / existing threads.
  const std::string text = ReadTextFile(absl::StrCat(root, "/proc/loadavg")).value_or("");
  const std::vector<absl::string_view> fields = absl::StrSplit(text, ' ');
  if (fields.size() < 4) return;
  double average = 0;
  if (absl::SimpleAtod(fields[0], &average)) environment->load_average = average;
  int runnable = 0;
  const absl::string_view running = fields[3].substr(0, fields[3].find('/'));
  if (absl::SimpleAtoi(running, &runnable)) environment->runnable = runnable;
}

// Busy now and for some time: right after a build or another duet only the average is high.
bool TooFewFreeCpus(const Environment& environment) {
  if (environment.online_cpus <= 0 || !environment.load_average || !environment.runnable) {
    return false;
  }
  const int spare = std::max(0, environment.online_cpus - 2);
  return *environment.runnable - 1 > spare && *environment.load_average > spare + 0.5;
}

}  // namespace

std::optional<double> ParseCpuMax(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ' ', absl::SkipWhitespace());
  // Microseconds. As doubles "inf" and quotients out of range would pass.
  int64_t quota = 0;
  int64_t period = 0;
  if (parts.size() != 2 || !absl::SimpleAtoi(parts[0], &quota) ||
      !absl::SimpleAtoi(parts[1], &period) || quota <= 0 || period <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(quota) / static_cast<double>(period);
}

std::optional<CpuQuota> ReadCpuQuota(const std::string& root) {
  // A container without a cgroup namespace has its group, or an ancestor, mounted here: folders of
  // the path that are missing are passed over.
  const std::string mount = absl::StrCat(root, "/sys/fs/cgroup");
  std::string group = GroupOf(ReadTextFile(absl::StrCat(root, "/proc/self/cgroup")).value_or(""));
  std::optional<CpuQuota> least;
  for (;; group.erase(group.rfind('/'))) {
    const std::string folder = absl::StrCat(mount, group);
    const std::optional<double> cpus =
        ParseCpuMax(ReadTextFile(absl::StrCat(folder, "/cpu.max")).value_or(""));
    if (cpus.has_value() && (!least.has_value() || *cpus < least->cpus)) least = {*cpus, folder};
    if (group.rfind('/') == std::string::npos) return least;
  }
}

bool IsUnderValgrind() {
  // It loads its libraries into the program through this variable.
  const char* const preload = getenv("LD_PRELOAD");
  return preload != nullptr && absl::StrContains(preload, "vgpreload");
}

bool IsTraced() { return TracerOf(ReadTextFile("/proc/self/status").value_or("")).has_value(); }

std::optional<int> TracerOf(absl::string_view status) {
  for (absl::string_view line : absl::StrSplit(status, '\n')) {
    int pid = 0;
    if (absl::ConsumePrefix(&line, "TracerPid:") && absl::SimpleAtoi(line, &pid) && pid > 0) {
      return pid;
    }
  }
  return std::nullopt;
}

Environment ReadEnvironment(const std::string& root) {
  const std::string system = absl::StrCat(root, "/sys/devices/system");
  Environment environment;
  environment.quota = ReadCpuQuota(root);
  environment.layout_fixed_for_process = LayoutFixedForProcess();
  environment.layout_fixed_for_system =
      ReadNumberFile(absl::StrCat(root, "/proc/sys/kernel/randomize_va_space")).value_or(2) == 0;
  environment.tracer = TracerOf(ReadTextFile(absl::StrCat(root, "/proc/self/status")).value_or(""));
  ReadLoad(root, &environment);
  const absl::StatusOr<std::vector<int>> online =
      ParseCpuList(ReadTextFile(absl::StrCat(system, "/cpu/online")).value_or(""));
  if (online.ok()) environment.online_cpus = static_cast<int>(online->size());
  environment.sanitizer = NameOfSanitizer();
  environment.optimized = OptimizedBuild();
  return environment;
}

std::vector<std::string> EnvironmentWarnings(const Environment& environment) {
  std::vector<std::string> warnings;
  if (!environment.sanitizer.empty()) {
    warnings.push_back(
        absl::StrCat("built with ", environment.sanitizer,
                     ": its checks are part of the measured time; build without it"));
  }
  if (!environment.optimized) {
    warnings.emplace_back(
        "duetbench was built without optimization, which makes its loop slow and ratios too close "
        "to 1; build with -O2 (CMAKE_BUILD_TYPE=Release)");
  }
  if (environment.tracer.has_value()) {
    warnings.push_back(absl::StrCat("process ", *environment.tracer,
                                    " traces this one (a debugger, strace), which delays system "
                                    "calls and signals; measure without it"));
  }
  if (environment.quota.has_value() && environment.quota->cpus < 2) {
    const CpuQuota& quota = *environment.quota;
    warnings.push_back(absl::StrCat("the CPU quota is ", quota.cpus,
                                    " and a duet needs 2: its threads are stopped in the middle of "
                                    "samples, whose pairs are then dropped; raise it (docker run "
                                    "--cpus=2; it is set in ",
                                    quota.folder, "/cpu.max)"));
  }
  if (TooFewFreeCpus(environment)) {
    const int others = *environment.runnable - 1;
    warnings.push_back(absl::StrCat(
        others, others == 1 ? " other thread wants" : " other threads want", " to run on ",
        environment.online_cpus, environment.online_cpus == 1 ? " CPU" : " CPUs", " (load average ",
        *environment.load_average,
        "): fewer pairs are undisturbed and intervals get wider; stop what else is running"));
  }
  if (environment.layout_fixed_for_system || environment.layout_fixed_for_process) {
    warnings.push_back(absl::StrCat(
        "the memory layout is the same in every run (address randomization is off), so its effect "
        "on the ratio does not average out; ",
        environment.layout_fixed_for_system ? "sysctl kernel.randomize_va_space=2"
                                            : "run without setarch -R or a debugger"));
  }
  return warnings;
}

}  // namespace duetbench
