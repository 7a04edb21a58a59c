#ifndef DUETBENCH_PROCESS_WATCHDOG_H_
#define DUETBENCH_PROCESS_WATCHDOG_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

#include "duetbench/platform/suspend_aware_deadline.h"
#include "duetbench/platform/ticks.h"

namespace duetbench {

// True while a debugger or strace traces this process. A file of /proc is read: 20 µs.
bool IsTraced();

// The time limit of a run in this process. While a debugger traces the process there is none: it
// may stop the process for as long as it likes.
class RunDeadline {
 public:
  // Without a positive `limit` there is none.
  RunDeadline(std::chrono::nanoseconds limit, TickClock::time_point begin)
      : limit_(limit), deadline_(limit, begin) {}

  bool has_limit() const { return limit_.count() > 0; }
  // SuspendAwareDeadline::Turn; only with a limit.
  std::chrono::nanoseconds Turn(TickClock::time_point now);

 private:
  const std::chrono::nanoseconds limit_;
  SuspendAwareDeadline deadline_;
};

// Calls a function on another thread if it is not destroyed within a time limit: the calling thread
// executes code that may never return.
class Watchdog {
 public:
  // Starts a thread. Without a positive `limit`, or if no thread can be started, it does nothing.
  Watchdog(std::chrono::nanoseconds limit, std::function<void()> expired);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  uint32_t is_over_ = 0;  // atomic, a futex
  std::thread thread_;
};

}  // namespace duetbench

#endif  // DUETBENCH_PROCESS_WATCHDOG_H_
