#ifndef DUETBENCH_PLATFORM_CGROUP_H_
#define DUETBENCH_PLATFORM_CGROUP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace duetbench {

// CPU bandwidth limits (CFS quotas), as containers have them. A group that has used its quota gets
// no CPU until its period (100 ms, as a rule) is over: both sides of a duet are stopped, but not at
// the same moment. Reference: the kernel's admin-guide/cgroup-v2.rst (cpu.max) and
// scheduler/sched-bwc.rst (version 1).

// One group that the process belongs to, itself or through a descendant.
struct CpuGroup {
  int version = 2;     // of the cgroup interface: 1 or 2
  std::string folder;  // where its files are
};

// The groups of a process that can limit its CPU time, innermost first, from the texts of
// /proc/self/cgroup and /proc/self/mountinfo. Both hierarchies of a hybrid system are looked at.
// Ancestors outside of what is mounted here (or of the cgroup namespace) cannot be seen.
std::vector<CpuGroup> CpuGroupsOf(absl::string_view proc_cgroup, absl::string_view mountinfo);

struct CpuQuota {
  double cpus = 0;     // quota / period: the CPU time per time, 1.5 for 150 ms in 100 ms
  std::string folder;  // of the group that sets it
  int version = 2;
};

// cpu.max of version 2: "150000 100000" gives 1.5; "max 100000", and what cannot be read, nothing.
std::optional<double> ParseCpuMax(absl::string_view text);

// nr_throttled of a cpu.stat file of either version: in how many periods the group was stopped.
std::optional<uint64_t> ParseThrottled(absl::string_view cpu_stat);

// The quotas of this process: of all its groups those that have one, innermost first. Files are
// read below `root`, which is "" in production.
std::vector<CpuQuota> ReadCpuQuotas(const std::string& root);

// The smallest one: what the process can get at best. Nothing if there is no limit.
std::optional<CpuQuota> EffectiveCpuQuota(const std::vector<CpuQuota>& quotas);

// Counts how often the process was stopped by its quotas. Keeps the files open; without any quota
// it costs nothing, else 1-2 µs a file and reading.
//
//   ThrottleCounter throttled(ReadCpuQuotas(""));
//   const uint64_t before = throttled.Read();
//   …
//   if (throttled.Read() != before) …  // drop what was measured in between
class ThrottleCounter {
 public:
  explicit ThrottleCounter(const std::vector<CpuQuota>& quotas);
  ThrottleCounter(const ThrottleCounter&) = delete;
  ThrottleCounter& operator=(const ThrottleCounter&) = delete;
  ~ThrottleCounter();

  // The sum over the groups; a group whose file cannot be read counts 0.
  uint64_t Read() const;

 private:
  std::vector<int> files_;
};

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_CGROUP_H_
