#ifndef DUETBENCH_DECIDE_POSITION_ERROR_H_
#define DUETBENCH_DECIDE_POSITION_ERROR_H_

#include <algorithm>
#include <cmath>

namespace duetbench::stats {

// The distance that ln of the value of a much longer run may have from that of a run. `before` is
// ln of the value up to a position in the second half of the run less that of the whole, `behind`
// that of the rest; of several positions, the largest of each. It is twice `before`, since the next
// part of the input may move the value as far. Where that is large, the run is a part of a pass and
// tells little of the next part: it is more, up to `behind`.
inline double PositionError(double before, double behind) {
  constexpr double kLarge = 0.05;  // chosen
  const double twice = 2 * std::abs(before);
  return std::clamp(std::abs(behind), twice, twice * std::max(1.0, std::abs(before) / kLarge));
}

}  // namespace duetbench::stats

#endif  // DUETBENCH_DECIDE_POSITION_ERROR_H_
