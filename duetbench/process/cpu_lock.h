#ifndef DUETBENCH_PROCESS_CPU_LOCK_H_
#define DUETBENCH_PROCESS_CPU_LOCK_H_

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <memory>
#include <vector>

#include "duetbench/process/spawn.h"

namespace duetbench {

// Programs that measure on the same CPUs disturb each other: each of them has the lock of its CPUs
// while it measures, and the others wait.
//
// The lock of a CPU is the listening socket of an abstract name (unix(7)), the same for all users.
// It leaves no file behind, and the kernel frees it when the process ends, however it ends. Whoever
// waits is connected to it: the end of the connection tells that it is free, without polling. A
// container with a separate network has separate locks.
class CpuLock {
 public:
  // Called once before a wait, with the process that has the lock.
  using OnWait = std::function<void(pid_t holder)>;

  // Waits until all of `cpus` are free, or *interrupted is not 0 (it may be null). A lock that this
  // process or one of its ancestors has is not waited for: the holder may be waiting for this
  // process. Neither is one whose holder has died and left it to its descendants. Where sockets are
  // not allowed, the CPUs are not locked. 20 µs if nobody else measures.
  static std::unique_ptr<CpuLock> Acquire(std::vector<int> cpus, const OnWait& on_wait,
                                          const volatile std::sig_atomic_t* interrupted);

 private:
  std::vector<std::unique_ptr<Descriptor>> sockets_;
};

}  // namespace duetbench

#endif  // DUETBENCH_PROCESS_CPU_LOCK_H_
