#ifndef DUETBENCH_PLATFORM_TOPOLOGY_H_
#define DUETBENCH_PLATFORM_TOPOLOGY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duetbench {

// What the kernel tells about one online CPU. Each field may be unknown by itself.
struct Cpu {
  int number = -1;
  std::optional<int> core;     // unique within its package only
  std::optional<int> package;  // socket
  // The CPUs (hardware threads) of its core, itself included, ascending. Empty: unknown.
  std::vector<int> siblings;
  // The lowest CPU that shares its L3, which names the cache: the files' own ids are not there on
  // every machine. Unknown also where there is no L3.
  std::optional<int> l3;
  std::optional<int> node;  // of memory (NUMA)
  // Relative speed, 1024 for the fastest kind (cpu_capacity; ARM, and newer kernels on x86).
  std::optional<int> capacity;
  // The kind of core on a hybrid machine as the kernel names it: "core", "atom", "lowpower".
  // Empty: not a hybrid machine, or it does not tell.
  std::string kind;
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
// A guest sees what its host chooses to tell: often one thread per core, whatever is true. See
// core_probe.h.
CpuTopology ReadCpuTopology(const std::string& sysfs_root);

// Whether the two CPUs are hardware threads of one core; nothing when that is unknown.
std::optional<bool> ShareCore(const CpuTopology& topology, int a, int b);

// Puts what was measured about two CPUs over what the kernel tells. `shared` joins the two cores
// (with all their threads); else the two are parted.
void SetShareCore(CpuTopology* topology, int a, int b, bool shared);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_TOPOLOGY_H_
