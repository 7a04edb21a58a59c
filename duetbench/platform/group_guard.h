#ifndef DUETBENCH_PLATFORM_GROUP_GUARD_H_
#define DUETBENCH_PLATFORM_GROUP_GUARD_H_

#include <sys/types.h>

namespace duetbench {

// Kills process groups when this process is killed (SIGKILL, out of memory) and cannot do it
// itself. The leader of a group dies with its parent (DieWithParent), but not what it has started.
//
// A shell in a separate session does it. It is started by the first guard of a process, in 1 to 2
// ms, and ends with the process; it is no child of it, for which the program might wait. Where no
// shell can be started there is no guard.
class GroupGuard {
 public:
  explicit GroupGuard(pid_t group);
  // Call it while the group still has its number: before its leader is reaped.
  void End();

 private:
  const pid_t group_;
};

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_GROUP_GUARD_H_
