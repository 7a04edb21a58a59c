#include "duetbench/platform/speed_probe.h"

#include <algorithm>

#include "duetbench/platform/ticks.h"

namespace duetbench {

uint64_t SpeedProbeTicks() {
  constexpr int kSteps = 2000;
  const uint64_t start = ticks::Now();
  uint64_t a = 1, b = 2, c = 3, d = 4;
  // Two operations a step and chain. The empty asm keeps compilers from removing or vectorizing
  // the loop.
  for (uint64_t i = 0; i < kSteps; ++i) {
    a += i, b ^= i, c += 3, d -= i;
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    a ^= 5, b += 9, c ^= i, d += 7;
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
  }
  return std::max<uint64_t>(1, ticks::Stop() - start);
}

}  // namespace duetbench
