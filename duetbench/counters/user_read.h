#ifndef DUETBENCH_COUNTERS_USER_READ_H_
#define DUETBENCH_COUNTERS_USER_READ_H_

#include <cstdint>
#include <optional>

#include "duetbench/counters/kernel_abi.h"

namespace duetbench {

// A counter as it was read without a system call.
struct UserReading {
  uint64_t value;
  // As of the last time that the kernel put the event on the PMU. Only their difference means
  // something: how long the event was off it.
  uint64_t enabled_ns;
  uint64_t running_ns;
};

// Reads the counter of an event of the calling thread through the page that the kernel maps for it,
// by the protocol in linux/perf_event.h: whatever the kernel changes in the page it changes between
// two increments of `lock`, so that a reading during which `lock` changed is no reading and is
// repeated. `read_pmc(counter)` executes rdpmc. 10-20 ns.
//
// Nothing if the kernel does not allow it, the event is not on the PMU at present (index 0), or the
// page changes all the time: then read() knows.
template <class ReadPmc>
std::optional<UserReading> ReadInUserMode(const volatile perf_event_mmap_page& page,
                                          ReadPmc&& read_pmc) {
  constexpr int kMostAttempts = 100;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    // The kernel writes the page on this CPU, when this thread does not run: keeping the compiler
    // in order is enough.
    const uint32_t lock = page.lock;
    asm volatile("" : : : "memory");
    UserReading reading{};
    reading.enabled_ns = page.time_enabled;
    reading.running_ns = page.time_running;
    const uint32_t index = page.index;
    reading.value = static_cast<uint64_t>(page.offset);
    const bool readable = page.cap_user_rdpmc != 0 && index != 0;
    const uint16_t width = page.pmc_width;
    if (readable && width > 0 && width <= 64) {
      // The counter is a signed number of `width` bits, which the kernel's offset completes.
      const uint64_t top = read_pmc(index - 1) << (64 - width);
      reading.value += static_cast<uint64_t>(static_cast<int64_t>(top) >> (64 - width));
    }
    asm volatile("" : : : "memory");
    if (page.lock != lock) continue;
    if (!readable || width == 0 || width > 64) return std::nullopt;
    return reading;
  }
  return std::nullopt;
}

}  // namespace duetbench

#endif  // DUETBENCH_COUNTERS_USER_READ_H_
