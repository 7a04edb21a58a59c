#ifndef DUETBENCH_PLATFORM_CPU_LOCK_H_
#define DUETBENCH_PLATFORM_CPU_LOCK_H_

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "duetbench/platform/spawn.h"

namespace duetbench {

// Programs that measure on the same CPUs disturb each other: each of them has the lock of its CPUs
// while it measures, and the others wait.
//
// The lock of a CPU is a flock(2) of its folder in /sys: the same for all users, without a file of
// ours. The kernel frees it when the process ends, however it ends. A container with a network of
// its own has another /sys, and locks apart.
class CpuLock {
 public:
  // Called once before a wait, with the process that has the lock; 0: unknown, as in another PID
  // namespace.
  using OnWait = std::function<void(pid_t holder)>;

  // Waits until all of `cpus` are free, or *interrupted is not 0 (it may be null). A lock that this
  // process or one of its ancestors has is not waited for: the holder may be waiting for this
  // process. Neither is one whose holder has died and left it to its descendants, unless the kernel
  // hides that from a PID namespace. A CPU without a folder in `folder` is not locked. 20 µs if
  // nobody else measures.
  static std::unique_ptr<CpuLock> Acquire(std::vector<int> cpus, const OnWait& on_wait,
                                          const volatile std::sig_atomic_t* interrupted,
                                          const std::string& folder = "/sys/devices/system/cpu");
  ~CpuLock();

 private:
  std::vector<std::unique_ptr<Descriptor>> folders_;
};

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_CPU_LOCK_H_
