#ifndef DUETBENCH_PLATFORM_RENDEZVOUS_H_
#define DUETBENCH_PLATFORM_RENDEZVOUS_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <type_traits>

#include "duetbench/platform/ticks.h"

// The rendezvous of exactly two threads.
//
// Each side has a slot that only it writes. To meet, a side publishes its next epoch (and with it
// the tick at which it arrived) and waits until the partner's epoch has caught up. No
// read-modify-write is needed: that store and that load order memory both ways.
//
// Aligned start. After a rendezvous both sides know both arrival ticks, so both compute the same
// release = later arrival + lead, and start when their clock reaches it. The start skew then does
// not contain the latency of a cache line between the CPUs: p50 0-5 ns, against 10-25 ns with flags
// alone and 265 ns with std::barrier.
//
// Waiting. A bounded spin, then sleep on a futex. Unbounded spinning halves the throughput beside
// two busy processes, and two SCHED_FIFO threads that share a CPU would wait for each other
// forever. A side that slept comes back tens of microseconds late. Both sides notice it, since the
// arrivals are then further apart than half the spin, and repeat the rendezvous until neither
// slept.
//
// The sides share a RendezvousBlock: trivially copyable and without pointers, so that it can also
// lie in memory shared by two processes.
namespace duetbench {

// Sleeps while *word == expected, until FutexWake(word), and for `limit` at most; may return early
// for no reason. The word may lie in memory that two processes share.
void FutexWait(const uint32_t* word, uint32_t expected,
               std::chrono::nanoseconds limit = std::chrono::hours(1));

// Wakes all threads that sleep on `word`.
void FutexWake(const uint32_t* word);

// Written by one side, read by the other. 128 bytes: adjacent lines are fetched in pairs.
struct alignas(128) RendezvousSlot {
  uint32_t epoch = 0;    // that the owner has published; the top bit: it has left
  uint32_t awaited = 0;  // the partner's epoch for which the owner sleeps; 0 while it is awake
  // Indexed by the parity of the epoch: the owner may already have arrived at the next rendezvous
  // while the partner still reads the values of this one.
  uint64_t arrival[2] = {0, 0};
  uint64_t payload[2] = {0, 0};
};

struct RendezvousBlock {
  RendezvousSlot slot[2];
};
static_assert(std::is_trivially_copyable_v<RendezvousBlock>);

// Knowledge that both sides share after a rendezvous.
struct Meeting {
  bool partner_left;  // the partner will not come; the rest is not set
  uint64_t release;   // start at this tick: the same number on both sides
  uint64_t partner_payload;
  int attempts;  // 1, or more if a side had to sleep
};

class Rendezvous {
 public:
  // `side` is 0 or 1. A waiting side spins for `spin_ticks` before it sleeps; the release lies
  // `lead_ticks` after the later arrival (400 ns: the partner must have seen the arrival by then).
  Rendezvous(RendezvousBlock* block, int side, uint64_t spin_ticks, uint64_t lead_ticks)
      : mine_(&block->slot[side]),
        partner_(&block->slot[1 - side]),
        spin_ticks_(spin_ticks),
        lead_ticks_(lead_ticks) {}

  // Meets the partner and exchanges payloads. Repeated until neither side slept, at most ten times;
  // in the last attempt the sides spin 512 times as long.
  Meeting Meet(uint64_t payload) {
    uint64_t spin = spin_ticks_;
    for (int attempt = 1;; ++attempt) {
      Publish(ticks::Now(), payload);
      if (!Await(spin)) return {true, 0, 0, attempt};
      const uint64_t mine = MyArrival();
      const uint64_t theirs = PartnerArrival();
      const uint64_t later = std::max(mine, theirs);
      if (later - std::min(mine, theirs) <= spin / 2 || attempt == kMaxAttempts) {
        return {false, later + lead_ticks_, PartnerPayload(), attempt};
      }
      // If waking takes longer than the spin, sides with equal spins would sleep in turns.
      spin *= 2;
    }
  }

  // Meets the partner once and without spinning; afterwards either side may have to wait for its
  // CPU. For sides that share a CPU, where spinning only keeps the partner from arriving.
  Meeting MeetBlocking(uint64_t payload) {
    Publish(ticks::Now(), payload);
    if (!Await(0)) return {true, 0, 0, 1};
    const uint64_t later = std::max(MyArrival(), PartnerArrival());
    return {false, later + lead_ticks_, PartnerPayload(), 1};
  }

  // The first half of a rendezvous. Publishes the next epoch, with a stamp.
  void Publish(uint64_t stamp, uint64_t payload) {
    ++epoch_;
    __atomic_store_n(&mine_->arrival[epoch_ & 1], stamp, __ATOMIC_RELAXED);
    __atomic_store_n(&mine_->payload[epoch_ & 1], payload, __ATOMIC_RELAXED);
    // Sequentially consistent against the store to `awaited` and the load of the epoch in
    // SleepUntil: one of the two sides sees the other.
    __atomic_store_n(&mine_->epoch, epoch_, __ATOMIC_SEQ_CST);
    // Only at the epoch it waits for: where the sides share a CPU, a partner that is woken early
    // would preempt this one.
    const uint32_t awaited = __atomic_load_n(&partner_->awaited, __ATOMIC_SEQ_CST);
    if (awaited != 0 && Reached(epoch_, awaited)) FutexWake(&mine_->epoch);
  }

  // True when the partner has published `epoch` or has left. Never waits.
  bool PartnerPublishedOrLeft(uint32_t epoch) const {
    return Settled(__atomic_load_n(&partner_->epoch, __ATOMIC_ACQUIRE), epoch);
  }

  // The number of epochs this side has published.
  uint32_t epoch() const { return epoch_; }

  // Releases the partner for good. Every exit of a side must call it, or the partner hangs.
  void Leave() {
    __atomic_fetch_or(&mine_->epoch, kLeft, __ATOMIC_SEQ_CST);
    FutexWake(&mine_->epoch);
  }

 private:
  static constexpr uint32_t kLeft = 0x80000000u;
  static constexpr int kPausesPerClockCheck = 32;
  // Two SCHED_FIFO threads on one CPU: each arrives only after the other has stopped spinning, so
  // more attempts would not help.
  static constexpr int kMaxAttempts = 10;

  static void Pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");  // `yield` does nothing on most cores; isb waits a few nanoseconds
#endif
  }

  static bool Reached(uint32_t seen, uint32_t epoch) { return (seen & ~kLeft) >= epoch; }
  // There is nothing left to wait for.
  static bool Settled(uint32_t seen, uint32_t epoch) {
    return Reached(seen, epoch) || (seen & kLeft) != 0;
  }

  // Waits until the partner has published this side's epoch (or a later one). False: it has left
  // before.
  bool Await(uint64_t spin_ticks) {
    uint32_t seen = __atomic_load_n(&partner_->epoch, __ATOMIC_ACQUIRE);
    if (Settled(seen, epoch_)) return Reached(seen, epoch_);
    if (spin_ticks > 0) {
      const uint64_t begin = ticks::Now();
      do {
        for (int i = 0; i < kPausesPerClockCheck; ++i) {
          Pause();
          seen = __atomic_load_n(&partner_->epoch, __ATOMIC_ACQUIRE);
          if (Settled(seen, epoch_)) return Reached(seen, epoch_);
        }
      } while (ticks::Now() - begin < spin_ticks);
    }
    return Reached(SleepUntil(epoch_), epoch_);
  }

  // The values that either side published with this epoch; valid after Await.
  uint64_t MyArrival() const { return mine_->arrival[epoch_ & 1]; }
  uint64_t PartnerArrival() const {
    return __atomic_load_n(&partner_->arrival[epoch_ & 1], __ATOMIC_RELAXED);
  }
  uint64_t PartnerPayload() const {
    return __atomic_load_n(&partner_->payload[epoch_ & 1], __ATOMIC_RELAXED);
  }

  uint32_t SleepUntil(uint32_t epoch) {
    __atomic_store_n(&mine_->awaited, epoch, __ATOMIC_SEQ_CST);
    uint32_t seen = __atomic_load_n(&partner_->epoch, __ATOMIC_SEQ_CST);
    while (!Settled(seen, epoch)) {
      FutexWait(&partner_->epoch, seen);
      seen = __atomic_load_n(&partner_->epoch, __ATOMIC_SEQ_CST);
    }
    __atomic_store_n(&mine_->awaited, 0u, __ATOMIC_RELAXED);
    return seen;
  }

  RendezvousSlot* const mine_;
  RendezvousSlot* const partner_;
  const uint64_t spin_ticks_;
  const uint64_t lead_ticks_;
  uint32_t epoch_ = 0;
};

// Spins on the clock until `release`.
inline void WaitForRelease(uint64_t release) {
  // Signed: the clocks of two CPUs may differ by a few ticks.
  while (static_cast<int64_t>(ticks::Now() - release) < 0) {
  }
}

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_RENDEZVOUS_H_
