#ifndef DUETBENCH_PLATFORM_RENDEZVOUS_H_
#define DUETBENCH_PLATFORM_RENDEZVOUS_H_

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "duetbench/platform/futex.h"
#include "duetbench/platform/ticks.h"

// The rendezvous of exactly two threads.
//
// Each side has a slot that only it writes. To meet, a side publishes its next epoch (and with it
// the tick at which it arrived) and waits until the partner's epoch has caught up. No
// read-modify-write is needed: that store and that load order memory both ways.
//
// Aligned start. Both sides know both arrival ticks after a meeting, so both compute the same
// release = later arrival + lead and start when the clock says so. That takes the way of a cache
// line between the CPUs out of the start skew: p50 0-5 ns, where flags alone give 10-25 ns and
// std::barrier 265 ns.
//
// Waiting. A bounded spin, then sleep on a futex. Unbounded spinning halves the throughput beside
// two busy processes, and two SCHED_FIFO threads that share a CPU would wait for each other for
// ever. A side that slept comes back tens of microseconds late; so when the arrivals lie further
// apart than half the spin, both sides know it and meet again, until both were awake when they met.
//
// What the sides share is RendezvousBlock, trivially copyable, no pointers in it: it can as well
// lie in memory shared by two processes.
namespace duetbench {

// Written by one side, read by the other. 128 bytes: adjacent lines are fetched in pairs.
struct alignas(128) RendezvousSlot {
  uint32_t epoch = 0;    // what its owner has announced; with the top bit: it will not come again
  uint32_t awaited = 0;  // the partner's epoch that its owner sleeps for; 0 while it is awake
  uint64_t arrival[2] = {0,
                         0};  // by parity of the epoch: the owner may already have arrived at the
  uint64_t payload[2] = {0, 0};  // next meeting while the partner still reads those of this one
};

struct RendezvousBlock {
  RendezvousSlot slot[2];
};
static_assert(std::is_trivially_copyable_v<RendezvousBlock>);

// What both sides know after a meeting.
struct Meeting {
  bool partner_left;         // the partner will not come; the rest is not set
  uint64_t release;          // start at this tick: the same number on both sides
  uint64_t partner_payload;  // what the partner brought
  int attempts;              // 1, or more if a side had to sleep
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

  // Meets the partner; each side gets what the other brought. After ten attempts, for the last of
  // which the sides spin 512 times as long, it takes the meeting as it is.
  Meeting Meet(uint64_t payload) {
    uint64_t spin = spin_ticks_;
    for (int attempt = 1;; ++attempt) {
      Publish(ticks::Now(), payload);
      if (!Await(epoch_, spin)) return {true, 0, 0, attempt};
      const uint64_t mine = mine_->arrival[epoch_ & 1];
      const uint64_t theirs = PartnerArrival(epoch_);
      const uint64_t later = std::max(mine, theirs);
      if (later - std::min(mine, theirs) <= spin / 2 || attempt == kMostAttempts) {
        return {false, later + lead_ticks_, PartnerPayload(epoch_), attempt};
      }
      // Where waking takes longer than the spin, an equal spin would send the sides to sleep in
      // turn.
      spin *= 2;
    }
  }

  // Meets the partner without spinning and takes the first meeting as it is, after which either
  // side may have to wait for its CPU. For sides that share one: there spinning only keeps the
  // partner from coming.
  Meeting MeetAsleep(uint64_t payload) {
    Publish(ticks::Now(), payload);
    if (!Await(epoch_, 0)) return {true, 0, 0, 1};
    const uint64_t later = std::max(mine_->arrival[epoch_ & 1], PartnerArrival(epoch_));
    return {false, later + lead_ticks_, PartnerPayload(epoch_), 1};
  }

  // The halves of a meeting, for sides that take turns: announces the next epoch, with a stamp …
  void Publish(uint64_t stamp, uint64_t payload) {
    ++epoch_;
    __atomic_store_n(&mine_->arrival[epoch_ & 1], stamp, __ATOMIC_RELAXED);
    __atomic_store_n(&mine_->payload[epoch_ & 1], payload, __ATOMIC_RELAXED);
    // Sequentially consistent against the store to `awaited` and the load of the epoch in
    // SleepUntil: one of the two sides sees the other.
    __atomic_store_n(&mine_->epoch, epoch_, __ATOMIC_SEQ_CST);
    // Not before its time: where the sides share a CPU, a partner woken early would take it from
    // us.
    const uint32_t awaited = __atomic_load_n(&partner_->awaited, __ATOMIC_SEQ_CST);
    if (awaited != 0 && Reached(epoch_, awaited)) FutexWake(&mine_->epoch);
  }

  // … and waits until the partner has announced `epoch` (or a later one). False: it has left
  // before.
  bool Await(uint32_t epoch, uint64_t spin_ticks) {
    uint32_t seen = __atomic_load_n(&partner_->epoch, __ATOMIC_ACQUIRE);
    if (Settled(seen, epoch)) return Reached(seen, epoch);
    if (spin_ticks > 0) {
      const uint64_t begin = ticks::Now();
      do {
        for (int i = 0; i < kPausesPerClockCheck; ++i) {
          Pause();
          seen = __atomic_load_n(&partner_->epoch, __ATOMIC_ACQUIRE);
          if (Settled(seen, epoch)) return Reached(seen, epoch);
        }
      } while (ticks::Now() - begin < spin_ticks);
    }
    return Reached(SleepUntil(epoch), epoch);
  }

  // What the partner published with `epoch`; valid after Await(epoch) until this side publishes
  // epoch + 2.
  uint64_t PartnerArrival(uint32_t epoch) const {
    return __atomic_load_n(&partner_->arrival[epoch & 1], __ATOMIC_RELAXED);
  }
  uint64_t PartnerPayload(uint32_t epoch) const {
    return __atomic_load_n(&partner_->payload[epoch & 1], __ATOMIC_RELAXED);
  }

  // What this side published with `epoch`.
  uint64_t MyArrival(uint32_t epoch) const { return mine_->arrival[epoch & 1]; }

  // True when the partner has published `epoch`, even if it has left since. Never waits.
  bool PartnerCame(uint32_t epoch) const {
    return Reached(__atomic_load_n(&partner_->epoch, __ATOMIC_ACQUIRE), epoch);
  }

  // True when the partner has published `epoch` or has left. Never waits.
  bool PartnerReached(uint32_t epoch) const {
    return Settled(__atomic_load_n(&partner_->epoch, __ATOMIC_ACQUIRE), epoch);
  }

  // The number of epochs this side has published.
  uint32_t epoch() const { return epoch_; }

  // Releases the partner for good. Every way out of a side ends here, or the partner hangs.
  void Leave() {
    __atomic_store_n(&mine_->epoch, epoch_ | kLeft, __ATOMIC_SEQ_CST);
    FutexWake(&mine_->epoch);
  }

 private:
  static constexpr uint32_t kLeft = 0x80000000u;
  static constexpr int kPausesPerClockCheck = 32;
  // Of two SCHED_FIFO threads on one CPU each comes when the other has spun to the end, however
  // long that is.
  static constexpr int kMostAttempts = 10;

  static void Pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");  // `yield` does nothing on most cores; isb waits a few nanoseconds
#endif
  }

  static bool Reached(uint32_t seen, uint32_t epoch) { return (seen & ~kLeft) >= epoch; }
  // There is nothing to wait for any more.
  static bool Settled(uint32_t seen, uint32_t epoch) {
    return Reached(seen, epoch) || (seen & kLeft) != 0;
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
