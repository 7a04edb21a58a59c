#include "duetbench/platform/rendezvous.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace duetbench {

void FutexWait(const uint32_t* word, uint32_t expected, std::chrono::nanoseconds limit) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  const timespec time = {static_cast<time_t>(seconds.count()),
                         static_cast<long>((limit - seconds).count())};  // NOLINT: its type
  // Every outcome (woken, word had changed, signal, time) means the same to the caller: look again.
  syscall(SYS_futex, word, FUTEX_WAIT, expected, &time, nullptr, 0);
}

void FutexWake(const uint32_t* word) {
  syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace duetbench
