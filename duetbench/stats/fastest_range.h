#ifndef DUETBENCH_STATS_FASTEST_RANGE_H_
#define DUETBENCH_STATS_FASTEST_RANGE_H_

#include <optional>
#include <string>
#include <vector>

#include "duetbench/stats/crossing.h"

namespace duetbench::stats {

// Consecutive sizes at which one variant of a group is the fastest, or ties with the fastest.
struct FastestStretch {
  std::string variant;
  double from = 0;  // the first of the measured sizes, and the last one
  double to = 0;
  // Between its time and that of the variant of the stretch before; none: it is not known.
  std::optional<Crossing> crossing;
  bool has_tie = false;  // at one of the sizes or more another variant is the fastest
};

// The fastest variants of a group over one of its arguments.
struct FastestRange {
  std::string title;     // "Find/map_vs_…/4": the argument that varies is left out
  std::string argument;  // its name, "n" if it has none
  std::vector<FastestStretch> stretches;  // ascending
};

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_FASTEST_RANGE_H_
