#ifndef DUETBENCH_PLATFORM_TOPOLOGY_H_
#define DUETBENCH_PLATFORM_TOPOLOGY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace duetbench {

// The kernel's description of one online CPU. Each field may be unknown by itself.
struct Cpu {
  int number = -1;
  // The CPUs (hardware threads) of its core, itself included, ascending. Empty: unknown.
  std::vector<int> siblings;
  std::optional<int> node;  // of memory (NUMA)
  // Relative speed, 1024 for the fastest kind (cpu_capacity; ARM, and newer kernels on x86).
  std::optional<int> capacity;
  std::optional<int64_t> max_frequency_khz;
};

struct CpuTopology {
  std::vector<Cpu> cpus;  // the online ones, ascending

  // Null if `number` is not online.
  const Cpu* Find(int number) const;
};

// Reads the topology from the tree of files at `sysfs_root` ("/sys"), below devices/. When even the
// list of online CPUs is missing, the result is empty. About 0.1 ms a CPU.
//
// A guest sees what its host presents: often one thread per core, whether that is true or not.
CpuTopology ReadCpuTopology(const std::string& sysfs_root);

// True if the two CPUs are hardware threads of one core; nothing if unknown.
std::optional<bool> ShareCore(const CpuTopology& topology, int a, int b);

// Parses the kernel's list format for sets of CPUs, as in /sys/devices/system/cpu/online or
// cpuset.cpus: "0-3,8,10-11". Returns the numbers ascending and without repetition; the empty
// (or blank) text is the empty list. InvalidArgument names the part that could not be read.
absl::StatusOr<std::vector<int>> ParseCpuList(absl::string_view text);

// The inverse: {0, 1, 2, 3, 8} gives "0-3,8". `cpus` is ascending.
std::string FormatCpuList(const std::vector<int>& cpus);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_TOPOLOGY_H_
