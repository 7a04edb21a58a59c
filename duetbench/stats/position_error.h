#ifndef DUETBENCH_STATS_POSITION_ERROR_H_
#define DUETBENCH_STATS_POSITION_ERROR_H_

#include <algorithm>
#include <cmath>

namespace duetbench::stats {

// How far ln of the value of a much longer run may be from that of a run, by positions in its
// second half: `before`, the value up to the one where it is farthest from that of the whole, and
// `behind`, likewise, are in logarithms, less that of the whole. Twice `before`, since the next
// part of the input may move the value as far. Where that is large, the run is a part of a pass and
// tells little of the next part: more, up to what the part behind has.
inline double PositionError(double before, double behind) {
  constexpr double kLarge = 0.05;  // chosen
  const double twice = 2 * std::abs(before);
  return std::clamp(std::abs(behind), twice, twice * std::max(1.0, std::abs(before) / kLarge));
}

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_POSITION_ERROR_H_
