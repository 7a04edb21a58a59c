#ifndef DUETBENCH_PLATFORM_CPU_PAIR_H_
#define DUETBENCH_PLATFORM_CPU_PAIR_H_

#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/platform/spawn.h"

namespace duetbench {

// The kernel's description of one online CPU. Each field may be unknown by itself.
struct Cpu {
  int number = -1;
  // The CPUs (hardware threads) of its core, itself included, ascending. Empty: unknown.
  std::vector<int> siblings;
  std::optional<int> node;  // of memory (NUMA)
  // Relative speed, 1024 for the fastest kind (cpu_capacity; ARM, and newer kernels on x86).
  std::optional<int64_t> capacity;
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

// Relation of the two CPUs of a duet, from the best to the worst.
enum class CpuRelation {
  kSeparateCores,  // of equal kind, on one memory node
  kSeparateNodes,  // of equal kind, on different memory nodes
  kUnknown,        // two CPUs; whether they are separate cores is not known
  kSmtSiblings,    // hardware threads of one core
  kUnequalCores,   // a fast and a slow one
  kOneCpu,         // not a duet
};

struct CpuPairChoice {
  int cpus[2] = {-1, -1};  // ascending; the same one twice for kOneCpu
  CpuRelation relation = CpuRelation::kUnknown;
};

// The two CPUs to run a duet on, out of those that are both in `allowed` (ascending, from
// AllowedCpus()) and online. The best relation wins. Among equals: the faster kind of core, equal
// top frequencies, not the core of CPU 0 (which serves most interrupts), the lowest numbers.
//
// Separate cores come before SMT siblings: siblings slow each other
// down by a factor s up to 2, and the longer variant then has the core for itself for the rest of
// its sample, which biases a ratio R towards 1 + (R - 1) / s (Bulej et al., ICPE 2020,
// section 4.4). Cores of unequal kind come last: a ratio on two kinds of core is a mean of two
// different ratios.
//
// FailedPrecondition if no CPU is left. With an empty topology the relation of the allowed CPUs is
// kUnknown.
absl::StatusOr<CpuPairChoice> ChooseCpuPair(const std::vector<int>& allowed,
                                            const CpuTopology& topology);

// Parses and checks the choice of the user, "2,3". InvalidArgument names the mistake (not two
// numbers, the same CPU twice, offline, not allowed) and the CPUs that could be given instead.
absl::StatusOr<CpuPairChoice> ParseCpuPair(absl::string_view text, const std::vector<int>& allowed,
                                           const CpuTopology& topology);

// The first `count` of the CPUs of a duet, `first`, and then, ascending, of the others that are
// `allowed`; all if there are fewer.
std::vector<int> FirstCpus(const int (&first)[2], const std::vector<int>& allowed, int count);

// "separate cores", "SMT siblings: they share one core", "not a duet: one CPU".
std::string DescribeCpuRelation(const CpuPairChoice& choice);

// "CPUs 2 and 3 (separate cores)", "CPU 0 (not a duet: one CPU)".
std::string DescribeCpuPair(const CpuPairChoice& choice);

// Programs that measure on the same CPUs disturb each other: each of them has the lock of its CPUs
// while it measures, and the others wait.
//
// The lock of a CPU is a flock(2) of its folder in /sys: the same for all users, without a file of
// ours. The kernel frees it when the process ends, however it ends. A container with a network of
// its own has another /sys, and locks apart.
class CpuLock {
 public:
  // Waits until all of `cpus` are free, or *interrupted is not 0 (it may be null); `on_wait` is
  // called once before a wait. A descendant of a process that has locks does not wait, and locks
  // nothing: the holder may be waiting for it. A CPU without a folder in `folder` is not locked.
  // 20 µs if nobody else measures.
  static std::unique_ptr<CpuLock> Acquire(std::vector<int> cpus,
                                          const std::function<void()>& on_wait,
                                          const volatile std::sig_atomic_t* interrupted,
                                          const std::string& folder = "/sys/devices/system/cpu");
  ~CpuLock();

 private:
  std::vector<Descriptor> folders_;
};

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_CPU_PAIR_H_
