#include "duetbench/measure/shared_block.h"

namespace duetbench {
namespace {

constexpr uint32_t kSomebodyLeft = 0x80000000u;

void LeaveWord(uint32_t* word) {
  __atomic_fetch_or(word, kSomebodyLeft, __ATOMIC_SEQ_CST);
  FutexWake(word);
}

}  // namespace

void Stage::Pass() {
  __atomic_fetch_add(&passed_, 1, __ATOMIC_SEQ_CST);
  FutexWake(&passed_);
}

bool Stage::Await(uint32_t loops) const {
  for (;;) {
    const uint32_t seen = __atomic_load_n(&passed_, __ATOMIC_ACQUIRE);
    if ((seen & ~kSomebodyLeft) >= loops) return true;
    if ((seen & kSomebodyLeft) != 0) return false;
    FutexWait(&passed_, seen);
  }
}

void Stage::Leave() { LeaveWord(&passed_); }

void Turn::Give(int variant) {
  uint32_t seen = __atomic_load_n(&turn_, __ATOMIC_RELAXED);
  const auto next = static_cast<uint32_t>(variant);
  while (!__atomic_compare_exchange_n(&turn_, &seen, (seen & kSomebodyLeft) | next, false,
                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  FutexWake(&turn_);
}

bool Turn::Await(int variant) const {
  for (;;) {
    const uint32_t seen = __atomic_load_n(&turn_, __ATOMIC_ACQUIRE);
    if ((seen & kSomebodyLeft) != 0) return false;
    if (seen == static_cast<uint32_t>(variant)) return true;
    FutexWait(&turn_, seen);
  }
}

void Turn::Leave() { LeaveWord(&turn_); }

void SharedBlock::Leave() {
  turn.Leave();
  for (Stage* const stage : {&set_up, &completed, &counted, &torn_down}) stage->Leave();
}

}  // namespace duetbench
