#include "duetbench/platform/rendezvous.h"

#include "duetbench/platform/fallback.h"

#if !DUETBENCH_FALLBACK

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

namespace duetbench {

void FutexWait(const uint32_t* word, uint32_t expected) {
  // Every outcome (woken, word had changed, signal) means the same to the caller: look again.
  syscall(SYS_futex, word, FUTEX_WAIT, expected, nullptr, nullptr, 0);
}

void FutexWake(const uint32_t* word) {
  syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace duetbench

#endif
