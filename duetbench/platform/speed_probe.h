#ifndef DUETBENCH_PLATFORM_SPEED_PROBE_H_
#define DUETBENCH_PLATFORM_SPEED_PROBE_H_

#include <cstdint>

namespace duetbench {

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

#endif  // DUETBENCH_PLATFORM_SPEED_PROBE_H_
