#ifndef DUETBENCH_MEASURE_SAMPLE_TIME_H_
#define DUETBENCH_MEASURE_SAMPLE_TIME_H_

#include <algorithm>
#include <cstdint>

namespace duetbench {

// Time of a sample in ticks: the time that counts, and that between PauseTiming and ResumeTiming,
// which the partner and the user wait for all the same.
struct SampleTime {
  uint64_t net = 0;
  uint64_t paused = 0;

  uint64_t wall() const { return net + paused; }
};

// In one word, which a rendezvous exchanges: 40 bits of net time, and 24 bits of paused time in
// steps of 2^16 ticks, rounded down: 20 µs at 3 GHz, nothing beside a sample that is long by its
// pauses. Either is at most 2^40 ticks, 6 minutes.
inline constexpr int kNetBits = 40;
inline constexpr int kPausedStepBits = 16;
inline constexpr uint64_t kMaxPackedTicks = (uint64_t{1} << kNetBits) - 1;

inline uint64_t Pack(const SampleTime& time) {
  const uint64_t paused = std::min(time.paused, kMaxPackedTicks) >> kPausedStepBits;
  return paused << kNetBits | std::min(time.net, kMaxPackedTicks);
}

inline SampleTime UnpackSampleTime(uint64_t packed) {
  return {packed & kMaxPackedTicks, packed >> kNetBits << kPausedStepBits};
}

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_SAMPLE_TIME_H_
