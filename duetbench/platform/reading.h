#ifndef DUETBENCH_PLATFORM_READING_H_
#define DUETBENCH_PLATFORM_READING_H_

#include <linux/perf_event.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "duetbench/platform/event.h"

// Readings of counters, and the counts between two of them. No system calls.
namespace duetbench {

// The counters of one group at one instant; all since they were opened.
struct GroupReading {
  uint64_t enabled_ns = 0;  // how long the group was enabled
  uint64_t running_ns = 0;  // how long it was on the PMU
  // True: by read(), and the times are current. False: by ReadInUserMode, and the times are those
  // at which the kernel last put the group on the PMU.
  bool from_kernel = false;
  uint64_t values[kMaxEvents] = {};
};

// Bytes that read() gives for a group of n events with PERF_FORMAT_GROUP, _TOTAL_TIME_ENABLED and
// _TOTAL_TIME_RUNNING: n, time enabled, time running, n values, 8 bytes each.
constexpr size_t GroupReadBytes(size_t events) { return (3 + events) * sizeof(uint64_t); }

// Decodes them. False if the bytes are not a reading of a group of `events`.
bool DecodeGroupRead(const void* bytes, size_t size, size_t events, GroupReading* reading);

// The number of times that an event happened between two readings.
struct Count {
  double value = 0;
  // The group was on the PMU at some time in between. Otherwise the count is unknown, and not 0.
  bool counted = false;
  // The group was off the PMU at some time, because others used it: `value` is scaled to the whole
  // time, which is right for events that happen evenly.
  bool scaled = false;
};

// The count of event `index` of a group between two of its readings. If both are from read(), it is
// value * enabled / running. If one of them was read in user mode, the time between them is
// unknown, and only whether the group was off the PMU is known: the count is exact if it never was,
// and unknown otherwise.
Count CountBetween(const GroupReading& before, const GroupReading& after, size_t index);

// The sum over two parts of one region: counted if both are.
Count Add(const Count& a, const Count& b);

// Subtracts the count of an empty region. Not below 0.
Count Subtract(const Count& count, double overhead);

// A reading without a system call.
struct UserReading {
  uint64_t value;
  // At the last time that the kernel put the event on the PMU. Only their difference has a meaning:
  // how long the event was off it.
  uint64_t enabled_ns;
  uint64_t running_ns;
};

// Reads the counter of an event of the calling thread through the page that the kernel maps for it,
// by the protocol in linux/perf_event.h: the kernel increments `lock` before and after it changes
// the page, and a reading during which `lock` changed is repeated. `read_pmc(counter)` executes
// rdpmc. 10-20 ns.
//
// Nothing if the kernel does not allow it, the event is not on the PMU at present (index 0), or the
// page changes all the time: then read() must be used.
template <class ReadPmc>
std::optional<UserReading> ReadInUserMode(const volatile perf_event_mmap_page& page,
                                          ReadPmc&& read_pmc) {
  constexpr int kMaxAttempts = 100;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
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

#endif  // DUETBENCH_PLATFORM_READING_H_
