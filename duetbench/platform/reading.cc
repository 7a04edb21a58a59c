#include "duetbench/platform/reading.h"

#include <algorithm>
#include <cstring>

namespace duetbench {

bool DecodeGroupRead(const void* bytes, size_t size, size_t events, GroupReading* reading) {
  if (events > kMaxEvents || size != GroupReadBytes(events)) return false;
  uint64_t words[3 + kMaxEvents];
  std::memcpy(words, bytes, size);
  if (words[0] != events) return false;
  reading->enabled_ns = words[1];
  reading->running_ns = words[2];
  std::copy(words + 3, words + 3 + events, reading->values);
  return true;
}

Count CountBetween(const GroupReading& before, const GroupReading& after, size_t index) {
  // Modulo 2^64, as the counters themselves.
  const uint64_t value = after.values[index] - before.values[index];
  const uint64_t enabled = after.enabled_ns - before.enabled_ns;
  const uint64_t running = after.running_ns - before.running_ns;
  Count count;
  if (running == 0) return count;
  count.counted = true;
  count.scaled = running < enabled;
  count.value = static_cast<double>(value);
  if (count.scaled) count.value *= static_cast<double>(enabled) / static_cast<double>(running);
  return count;
}

Count Add(const Count& a, const Count& b) {
  Count sum;
  if (!a.counted || !b.counted) return sum;
  sum.value = a.value + b.value;
  sum.counted = true;
  sum.scaled = a.scaled || b.scaled;
  return sum;
}

Count Subtract(const Count& count, double overhead) {
  Count difference = count;
  difference.value = std::max(0.0, count.value - overhead);
  return difference;
}

}  // namespace duetbench
