#ifndef DUETBENCH_PLATFORM_CGROUP_H_
#define DUETBENCH_PLATFORM_CGROUP_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace duetbench {

// CPU bandwidth limits (CFS quotas), as containers have them. A group that has used its quota gets
// no CPU until its period (usually 100 ms) is over: both threads of a duet are stopped, but not at
// the same moment. Reference: the kernel's admin-guide/cgroup-v2.rst (cpu.max) and
// scheduler/sched-bwc.rst (version 1).

// One group that the process belongs to, itself or through a descendant.
struct CpuGroup {
  int version = 2;     // of the cgroup interface: 1 or 2
  std::string folder;  // where its files are
};

// The groups of a process that can limit its CPU time, innermost first, from the texts of
// /proc/self/cgroup and /proc/self/mountinfo. On a hybrid system from both hierarchies. Ancestors
// outside of the mount (or of the cgroup namespace) are not visible.
std::vector<CpuGroup> CpuGroupsOf(absl::string_view proc_cgroup, absl::string_view mountinfo);

struct CpuQuota {
  double cpus = 0;     // quota / period: 1.5 for 150 ms in 100 ms
  std::string folder;  // of the group that sets it
  int version = 2;
};

// cpu.max of version 2: "150000 100000" gives 1.5; "max 100000" and invalid text give nothing.
std::optional<double> ParseCpuMax(absl::string_view text);

// The quotas of all groups of this process that have one, innermost first. Files are read below
// `root`, which is "" in production.
std::vector<CpuQuota> ReadCpuQuotas(const std::string& root);

// The smallest quota, which limits the process. Nothing if there is no limit.
std::optional<CpuQuota> EffectiveCpuQuota(const std::vector<CpuQuota>& quotas);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_CGROUP_H_
