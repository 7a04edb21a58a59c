#include "duetbench/platform/speed_probe.h"

#include <algorithm>

#include "duetbench/platform/ticks.h"

namespace duetbench {

uint64_t SpeedProbeTicks() {
  constexpr int kSteps = 2000;
  constexpr int kUnrolled = 8;  // else the loop itself takes one of two times
  const uint64_t start = ticks::Now();
  uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, operand = 7;
  asm volatile("" : "+r"(operand));
  // Six chains of one operation each. The empty asm keeps compilers from removing or vectorizing
  // them.
  const auto step = [&] {
    a += operand, b ^= operand, c -= operand, d ^= operand, e += operand, f ^= operand;
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
  };
  for (int i = 0; i < kSteps / kUnrolled; ++i) {
    step(), step(), step(), step(), step(), step(), step(), step();
  }
  return std::max<uint64_t>(1, ticks::Stop() - start);
}

}  // namespace duetbench
