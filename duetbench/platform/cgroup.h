#ifndef DUETBENCH_PLATFORM_CGROUP_H_
#define DUETBENCH_PLATFORM_CGROUP_H_

#include <optional>
#include <string>

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

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_CGROUP_H_
