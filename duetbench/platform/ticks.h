#ifndef DUETBENCH_PLATFORM_TICKS_H_
#define DUETBENCH_PLATFORM_TICKS_H_

#include <cstdint>
#include <ctime>

// The clock that times a batch.
//
// A tick is one count of the processor's own constant-rate counter (x86: TSC, AArch64: CNTVCT)
// when that counter is known to run at one rate and in step on all CPUs; else a nanosecond of
// CLOCK_MONOTONIC. A ratio never needs the length of a tick; reports take it from tick_rate.h.
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
#elif defined(__aarch64__)
  if (__builtin_expect(internal::kUseCounter, true)) {
    uint64_t count;
    asm volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(count) : : "memory");
    return count;
  }
#endif
  return MonotonicNs();
}

// "tsc", "cntvct" or "clock_gettime".
const char* SourceName();

// Empty when the counter is used; else one line that says why CLOCK_MONOTONIC is.
const char* FallbackReason();

}  // namespace duetbench::ticks

#endif  // DUETBENCH_PLATFORM_TICKS_H_
