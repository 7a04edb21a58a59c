#ifndef DUETBENCH_PLATFORM_TICKS_H_
#define DUETBENCH_PLATFORM_TICKS_H_

#include <cstdint>
#include <ctime>
#include <vector>

// The clock that times a batch.
//
// A tick is one count of the processor's own constant-rate counter (x86: TSC, AArch64: CNTVCT)
// when that counter is known to be constant and synchronized across all CPUs; else a nanosecond of
// CLOCK_MONOTONIC. A ratio does not depend on the length of a tick; reports take it from
// NsPerTick().
//
// Start() and Stop() are asymmetric fences around the timed region (the argument is that of
// Highway's hwy/timer.h): nothing of the region may move before the stamp of Start() or behind the
// stamp of Stop(), and nothing that came before may still be in flight when the region starts.
// Cost of an empty Start/Stop: 18-30 ns with the counter, 25-60 ns with CLOCK_MONOTONIC.
namespace duetbench::ticks {

namespace internal {
// True when the counter is used. Written once, before main.
extern const bool kUseCounter;
}  // namespace internal

inline uint64_t MonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

// A stamp without fences, for waiting loops.
inline uint64_t Now() {
#if defined(__x86_64__)
  if (__builtin_expect(internal::kUseCounter, true)) return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  if (__builtin_expect(internal::kUseCounter, true)) {
    uint64_t count;
    asm volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
  }
#endif
  return MonotonicNs();
}

// The stamp that opens a timed region.
inline uint64_t Start() {
#if defined(__x86_64__)
  if (__builtin_expect(internal::kUseCounter, true)) {
    uint32_t low;
    uint32_t high;
    // The first fence lets what came before finish; the second keeps the region from starting
    // before the counter was read.
    asm volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return static_cast<uint64_t>(high) << 32 | low;
  }
#elif defined(__aarch64__)
  if (__builtin_expect(internal::kUseCounter, true)) {
    uint64_t count;
    asm volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(count) : : "memory");
    return count;
  }
#endif
  return MonotonicNs();
}

// The stamp that closes a timed region.
inline uint64_t Stop() {
#if defined(__x86_64__)
  if (__builtin_expect(internal::kUseCounter, true)) {
    uint32_t low;
    uint32_t high;
    // rdtscp waits for everything before it; the fence keeps what follows out of the region.
    asm volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high) : : "ecx", "memory");
    return static_cast<uint64_t>(high) << 32 | low;
  }
  return MonotonicNs();
#else
  return Start();
#endif
}

// "tsc", "cntvct" or "clock_gettime".
const char* SourceName();

// Empty when the counter is used; else the reason for CLOCK_MONOTONIC, in one line.
const char* FallbackReason();

}  // namespace duetbench::ticks

namespace duetbench {

// Length of one tick in nanoseconds: the counter against CLOCK_MONOTONIC, from the first call in
// this process to this one. The first call waits until the two readings are 10 ms apart, for an
// error below 1e-5; later calls are more exact.
double NsPerTick();

// The resolution of the clock, measured on the calling thread.
struct ClockTraits {
  // Most frequent length of an empty Start/Stop region; subtracted from batches.
  uint64_t overhead_ticks = 0;
  // Smallest difference above zero of two readings. The TSC of a VM may advance in steps of many
  // ticks.
  uint64_t step_ticks = 1;
};

// Measures overhead and step; about 50 µs.
ClockTraits MeasureClock();

// The arithmetic of MeasureClock on given readings: `regions` are lengths of empty regions,
// `stamps` successive readings of the clock.
ClockTraits ClockTraitsFrom(std::vector<uint64_t> regions, const std::vector<uint64_t>& stamps);

// Executes a fixed piece of work that needs as many arithmetic units of the core as there are, no
// memory and no branch that could be mispredicted, and returns its time in ticks: about 1 µs, at
// least 1. The time tells how much of the core the calling thread has at this moment: what else
// runs on the core, such as another guest on its other hardware thread, takes units from both.
//
// On an AMD Zen 3 VM the time changed by a factor of 1.8 for tens of milliseconds; it explained 43
// to 96 % of the variance of the times of sums, chains of loads, walks through 256 KiB, branches
// and allocations (1,300 blocks of 40 samples each, 2026-11-26), where a chain of dependent
// multiplications changed by 1.6 % and explained nothing. On an idle core of an AMD Zen 4 VM, 98 %
// of 30,000 times were within 1 % of each other, and 1.9 times as long beside another guest
// (2026-11-27).
uint64_t SpeedProbeTicks();

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_TICKS_H_
