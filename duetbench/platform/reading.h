#ifndef DUETBENCH_PLATFORM_READING_H_
#define DUETBENCH_PLATFORM_READING_H_

#include <cstddef>
#include <cstdint>

#include "duetbench/platform/event.h"

// Readings of counters, and the counts between two of them. No system calls.
namespace duetbench {

// The counters of one group at one instant; all since they were opened.
struct GroupReading {
  uint64_t enabled_ns = 0;  // how long the group was enabled
  uint64_t running_ns = 0;  // how long it was on the PMU
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

// The count of event `index` of a group between two of its readings: value * enabled / running.
Count CountBetween(const GroupReading& before, const GroupReading& after, size_t index);

// The sum over two parts of one region: counted if both are.
Count Add(const Count& a, const Count& b);

// Subtracts the count of an empty region. Not below 0.
Count Subtract(const Count& count, double overhead);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_READING_H_
