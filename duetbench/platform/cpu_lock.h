#ifndef DUETBENCH_PLATFORM_CPU_LOCK_H_
#define DUETBENCH_PLATFORM_CPU_LOCK_H_

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

#endif  // DUETBENCH_PLATFORM_CPU_LOCK_H_
