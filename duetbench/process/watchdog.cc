#include "duetbench/process/watchdog.h"

#include <system_error>
#include <utility>

#include "duetbench/platform/environment.h"
#include "duetbench/platform/rendezvous.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {

bool IsTraced() { return TracerOf(ReadTextFile("/proc/self/status").value_or("")).has_value(); }

std::chrono::nanoseconds RunDeadline::Turn(TickClock::time_point now) {
  const std::chrono::nanoseconds turn = deadline_.Turn(now);
  if (turn.count() > 0 || !IsTraced()) return turn;
  deadline_ = SuspendAwareDeadline(limit_, now);
  return deadline_.Turn(now);
}

Watchdog::Watchdog(std::chrono::nanoseconds limit, std::function<void()> expired) {
  if (limit.count() <= 0) return;
  try {
    thread_ = std::thread([this, limit, expired = std::move(expired)] {
      RunDeadline deadline(limit, TickClock::now());
      while (__atomic_load_n(&is_over_, __ATOMIC_ACQUIRE) == 0) {
        const std::chrono::nanoseconds turn = deadline.Turn(TickClock::now());
        if (turn.count() == 0) return expired();
        FutexWaitFor(&is_over_, 0, turn);
      }
    });
  } catch (const std::system_error&) {
    // Then the run has no limit.
  }
}

Watchdog::~Watchdog() {
  __atomic_store_n(&is_over_, 1, __ATOMIC_RELEASE);
  FutexWake(&is_over_);
  if (thread_.joinable()) thread_.join();
}

}  // namespace duetbench
