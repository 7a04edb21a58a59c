#ifndef DUETBENCH_PLATFORM_TICK_RATE_H_
#define DUETBENCH_PLATFORM_TICK_RATE_H_

#include <cstdint>
#include <vector>

namespace duetbench {

// What a clock can resolve, measured on the running thread.
struct ClockTraits {
  uint64_t overhead_ticks =
      0;                    // modal length of an empty Start/Stop region; subtracted from batches
  uint64_t step_ticks = 1;  // smallest non-zero difference of two readings (a VM's TSC may
                            // advance in steps of many ticks)
};

// Length of one tick in nanoseconds, from the counter against CLOCK_MONOTONIC between the first
// call in this process and this one. The first call waits until 10 ms lie between the two readings,
// for an error below 1e-5; later calls only get more exact.
double NsPerTick();

// Measures overhead and step; about 50 µs.
ClockTraits MeasureClock();

// The arithmetic of MeasureClock on given readings: `regions` are lengths of empty regions,
// `stamps` successive readings of the clock.
ClockTraits ClockTraitsFrom(std::vector<uint64_t> regions, const std::vector<uint64_t>& stamps);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_TICK_RATE_H_
