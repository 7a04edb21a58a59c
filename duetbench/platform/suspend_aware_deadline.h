#ifndef DUETBENCH_PLATFORM_SUSPEND_AWARE_DEADLINE_H_
#define DUETBENCH_PLATFORM_SUSPEND_AWARE_DEADLINE_H_

#include <algorithm>
#include <chrono>

namespace duetbench {

// A time limit that does not count pauses of the whole machine: a virtual machine may be suspended
// for minutes while it is saved or migrated, and its clocks go on. The caller waits in turns of a
// tenth of the limit or less; a turn that took longer counts as two.
class SuspendAwareDeadline {
 public:
  SuspendAwareDeadline(std::chrono::nanoseconds limit, std::chrono::steady_clock::time_point begin)
      : turn_(std::max(limit / 10, std::chrono::nanoseconds(1))), left_(limit), last_(begin) {}

  // Counts the time since the last call (or `begin`) and returns how long to wait before the next
  // one. Zero: the limit is reached.
  std::chrono::nanoseconds Turn(std::chrono::steady_clock::time_point now) {
    // A clock that was set back counts as one that has not moved.
    left_ -=
        std::clamp<std::chrono::nanoseconds>(now - last_, std::chrono::nanoseconds(0), 2 * turn_);
    last_ = now;
    return std::clamp(left_, std::chrono::nanoseconds(0), turn_);
  }

 private:
  std::chrono::nanoseconds turn_;
  std::chrono::nanoseconds left_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_SUSPEND_AWARE_DEADLINE_H_
