#ifndef DUETBENCH_COUNTERS_READING_H_
#define DUETBENCH_COUNTERS_READING_H_

#include <cstddef>
#include <cstdint>

#include "duetbench/counters/event.h"

// What counters say, as numbers: pure functions, no system calls.
namespace duetbench {

// The counters of one group at one instant; all since they were opened.
struct GroupReading {
  uint64_t enabled_ns = 0;   // the group was wanted
  uint64_t running_ns = 0;   // the group was on the PMU
  bool from_kernel = false;  // read(): the times are of now; else those of the last time that the
                             // kernel put the group on the PMU (user_read.h)
  uint64_t values[kMostEvents] = {};
};

// Bytes that read() gives for a group of n events with PERF_FORMAT_GROUP, _TOTAL_TIME_ENABLED and
// _TOTAL_TIME_RUNNING: n, time enabled, time running, n values, 8 bytes each.
constexpr size_t GroupReadBytes(size_t events) { return (3 + events) * sizeof(uint64_t); }

// Decodes them. False if these are not `size` bytes of a group of `events`.
bool DecodeGroupRead(const void* bytes, size_t size, size_t events, GroupReading* reading);

// How often an event happened between two readings.
struct Count {
  double value = 0;
  // The group was on the PMU at some time in between. A count of what was never looked at is
  // unknown, and not 0.
  bool counted = false;
  // The group was off the PMU at some time, because others used it: `value` is scaled to the whole
  // time, which is right for what happens evenly.
  bool scaled = false;
};

// The count of event `index` of a group, by two of its readings. Between two that read() gave,
// value * enabled / running. Where one of them was read in user mode, how long the group was off
// the PMU is known and the time in between is not: the count is exact if it was never off, else
// there is none.
Count CountBetween(const GroupReading& before, const GroupReading& after, size_t index);

// The counts of two parts of one region, together: counted if both are.
Count Add(const Count& a, const Count& b);

// Less what an empty region counts by being read. Not below 0.
Count Subtract(const Count& count, double overhead);

}  // namespace duetbench

#endif  // DUETBENCH_COUNTERS_READING_H_
