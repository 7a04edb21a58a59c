#include "duetbench/platform/futex.h"
#include "duetbench/platform/stand_ins.h"

#if DUETBENCH_STAND_INS

#include <chrono>
#include <thread>

namespace duetbench {

// Callers look again whenever this returns, so that a wait may end early: it is a short sleep.
// Neither a mutex nor a condition variable would do for a word that two processes share.
void FutexWait(const uint32_t* word, uint32_t expected) {
  if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != expected) return;
  std::this_thread::sleep_for(std::chrono::microseconds(50));
}

void FutexWake(const uint32_t* /*word*/) {}

}  // namespace duetbench

#endif
