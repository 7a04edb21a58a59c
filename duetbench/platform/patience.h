#ifndef DUETBENCH_PLATFORM_PATIENCE_H_
#define DUETBENCH_PLATFORM_PATIENCE_H_

#include <algorithm>
#include <chrono>

namespace duetbench {

// A limit to waiting for what may never end, which a pause of the whole machine does not use up: a
// virtual machine may stand still for minutes while it is saved or moved, and its clocks go on.
// Whoever waits looks at the clock in turns of a tenth of the limit or less; a turn that took
// longer counts as two.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  Patience(std::chrono::nanoseconds limit, Clock::time_point begin)
      : turn_(std::max(limit / 10, std::chrono::nanoseconds(1))), left_(limit), last_(begin) {}

  // Counts the time since the last call (or `begin`) and returns how long to wait before the next
  // one. Zero: the limit is reached.
  std::chrono::nanoseconds Turn(Clock::time_point now) {
    left_ -= std::min<std::chrono::nanoseconds>(now - last_, 2 * turn_);
    last_ = now;
    return std::clamp(left_, std::chrono::nanoseconds(0), turn_);
  }

 private:
  const std::chrono::nanoseconds turn_;
  std::chrono::nanoseconds left_;
  Clock::time_point last_;
};

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_PATIENCE_H_
